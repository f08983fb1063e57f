import { readTypeFacts, type TypeFacts } from '@/lib/domain/vgpu-type/read-type'
import type { PgpuFacts } from './pgpu-facts'
import type { Pgpu } from './types'

const countBy = (values: string[]): [string, number][] => {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
}

/**
 * The type that nova.conf names for a card: that of most of its mdev parents. For a card that has none now, because its
 * driver is missing, the type of the card's address. Null if it names none.
 */
export const configuredType = (facts: PgpuFacts): Pgpu['configuredType'] => {
  if (facts.framework === 'none' && facts.parents.length === 0)
    return facts.nova?.assignment.byAddress.get(facts.gpu.address) ?? null
  const assigned = [...(facts.assigned?.values() ?? [])].filter((type) => type !== null)
  const [commonest] = countBy(assigned.map((type) => type.typeId)).toSorted((a, b) => b[1] - a[1])
  return assigned.find((type) => type.typeId === commonest?.[0]) ?? null
}

/** Facts of a type by its id as this card's driver words it, else as another card's of the host, else the bare id. */
export const typeFactsById = (facts: Pick<PgpuFacts, 'types' | 'typeBook'>, typeId: string): TypeFacts => {
  const own = facts.types?.find((type) => type.facts.typeId === typeId)
  if (own !== undefined) return own.facts
  const other = facts.typeBook.find((type) => type.typeId === typeId)
  return other ?? readTypeFacts({ typeId, name: null, description: null })
}

/**
 * The card's current type: that of most existing vGPUs (of equals the configured one, then the first), else the configured
 * one when the card supports it, else null.
 */
export const currentType = (facts: PgpuFacts, configured = configuredType(facts)): TypeFacts | null => {
  const configuredId = configured?.typeId ?? null
  const existing = facts.vgpus.map((vgpu) => vgpu.typeId).filter((typeId) => typeId !== null)
  const [commonest] = countBy(existing).toSorted(
    (a, b) => b[1] - a[1] || Number(b[0] === configuredId) - Number(a[0] === configuredId),
  )
  if (commonest !== undefined) return typeFactsById(facts, commonest[0])
  const supported = facts.types?.find((type) => type.facts.typeId === configuredId)
  return supported?.facts ?? null
}
