import { formatNoun } from '@/lib/util/format'
import type { GpuParams } from './use-gpu-params'
import { MAX_PRINTED_LINES } from './use-line-window'

/** On paper the filter's controls are gone, so its words say what is shown. */
export const PrintedFilter = ({
  params: { q, model, type, framework, aggregate, finding, holds },
  shown,
  of,
}: {
  params: GpuParams
  shown: number
  of: number
}) => {
  const parts = [
    q === '' ? null : `text “${q}”`,
    model.length === 0 ? null : `model ${model.join(', ')}`,
    type.length === 0 ? null : `type ${type.join(', ')}`,
    framework.length === 0 ? null : `framework ${framework.join(', ')}`,
    aggregate.length === 0 ? null : `aggregate ${aggregate.join(', ')}`,
    finding === null ? null : finding === 'any' ? 'with findings' : `finding ${finding}`,
    holds === null ? null : `with ${holds}`,
  ].filter((part) => part !== null)
  return (
    <p className="mb-2 hidden text-ink2 print:block">
      {parts.length === 0 ? 'No filter' : `Filter: ${parts.join('; ')}`}. {formatNoun(shown, 'pGPU')} of {of}.
      {shown > MAX_PRINTED_LINES ? ` The first ${MAX_PRINTED_LINES} lines are printed; the CSV has all.` : ''}
    </p>
  )
}
