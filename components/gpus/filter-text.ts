import type { GpuFilterInput } from '@/lib/schemas/api/gpu-filter'
import { HOLDINGS } from '@/lib/schemas/holdings'

/** The filter of the GPUs page as one parameter of another page. Never empty. */
export const filterText = ({ q = '', finding, holds, ...lists }: GpuFilterInput): string => {
  const { model = [], type = [], framework = [], aggregate = [] } = lists
  const params = new URLSearchParams({ q: q.trim() })
  for (const [name, values] of Object.entries({ model, type, framework, aggregate }))
    for (const value of values) params.append(name, value)
  if (finding != null) params.set('finding', finding)
  if (holds != null) params.set('holds', holds)
  return params.toString()
}

/** The reverse of `filterText`, as plans take it. */
export const readFilter = (text: string): GpuFilterInput => {
  const params = new URLSearchParams(text)
  return {
    q: params.get('q') ?? '',
    model: params.getAll('model'),
    type: params.getAll('type'),
    framework: params.getAll('framework'),
    aggregate: params.getAll('aggregate'),
    finding: params.get('finding'),
    holds: HOLDINGS.find((holding) => holding === params.get('holds')) ?? null,
  }
}
