import { Agent } from 'node:http'
import { apiPaths } from '@/lib/util/paths'
import { ask } from '../fleet/measure'
import { quantile } from '../quantile'
import { CLOUD } from './big-past'
import { LARGE_CLOUD } from './scale-roll-ups'

const DAY_MS = 86_400_000
const TURNS = 30
const LATER_TURNS = 60

/** The first answers of a process, and those after them, when its code has been compiled. */
export type Read = {
  name: string
  p50Ms: number
  p95Ms: number
  laterP50Ms: number
  laterP95Ms: number
  bytes: number
  plainBytes: number
  status: number
}

/** One client, one question after the other: the time until the answer is whole. */
export const measureRead = async (name: string, url: URL): Promise<Read> => {
  const agent = new Agent({ keepAlive: true })
  const plain = await ask(url, { agent, headers: { 'accept-encoding': 'identity' } })
  const times: number[] = []
  let last = plain
  for (let turn = 0; turn < TURNS + LATER_TURNS; turn += 1) {
    last = await ask(url, { agent })
    times.push(last.ms)
  }
  agent.destroy()
  const [first, later] = [times.slice(0, TURNS), times.slice(TURNS)]
  return {
    name,
    p50Ms: quantile(first, 0.5),
    p95Ms: quantile(first, 0.95),
    laterP50Ms: quantile(later, 0.5),
    laterP95Ms: quantile(later, 0.95),
    bytes: last.bytes,
    plainBytes: plain.bytes,
    status: last.status,
  }
}

/** The charts' questions to a production console. `host` has 8 pGPUs. */
export const measureReads = async (
  address: string,
  { host, end }: { host: string; end: number },
): Promise<Read[]> => {
  const from = (days: number): string => new Date(end - days * DAY_MS).toISOString()
  const until = new Date(end).toISOString()
  const at = (scope: { cloud: string; by: string; from: string; host?: string }): URL =>
    new URL(apiPaths.capacity({ key: null, until, ...scope }), address)
  const large = { cloud: LARGE_CLOUD, from: from(730) }
  return [
    await measureRead('8 pGPUs, 90 days', at({ cloud: CLOUD.name, by: 'pgpu', host, from: from(90) })),
    await measureRead('fleet of 80,000, 2 years', at({ ...large, by: 'all' })),
    await measureRead('its types, 2 years', at({ ...large, by: 'type' })),
    await measureRead('its types, 30 days', at({ ...large, by: 'type', from: from(30) })),
  ]
}
