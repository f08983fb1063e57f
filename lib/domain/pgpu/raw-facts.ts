import type { PgpuFacts } from './pgpu-facts'
import type { RawFact } from './types'

/** The facts behind a card with the file on the host that each stood in. */
export const rawFacts = (facts: PgpuFacts): RawFact[] => {
  const base = `/sys/bus/pci/devices/${facts.gpu.address}`
  return [{ label: 'Driver', value: facts.gpu.driver ?? 'none', source: `${base}/driver` }]
}
