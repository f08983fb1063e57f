import type { GpuProvider, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { traitNamedAlike, traitOfType } from '@/lib/domain/cloud/type-traits'
import type { TypeFacts } from '@/lib/domain/vgpu-type/read-type'

/** A provider's traits after a change of its type. */
export type TraitsMove = {
  /** Traits that name a type of the card, as Placement has them. */
  off: string[]
  /** Those of the new type, named as the old ones were; empty when the provider was not tagged. */
  on: string[]
  /** Other custom traits, which have to outlive the provider. */
  foreign: string[]
}

/** What a trait that names a type of the card is called for type `to`; null: it names none. */
export const traitAfter = (
  trait: string,
  { pgpu }: JoinedPgpu,
  { to, rule }: { to: TypeFacts; rule: string },
): string | null => {
  for (const from of pgpu.supportedTypes ?? []) {
    const alike = traitNamedAlike(trait, { from, to })
    if (alike !== null) return alike
    if (traitOfType(rule, { type: from, vendorId: pgpu.vendorId }) === trait)
      return traitOfType(rule, { type: to, vendorId: pgpu.vendorId })
  }
  return null
}

/**
 * Computes a provider's traits for a change to type `to`. `rule`: how the operator names traits, in addition to the usual
 * ways.
 */
export const traitsMove = (
  entry: JoinedPgpu,
  { provider }: GpuProvider,
  target: { to: TypeFacts; rule: string },
): TraitsMove => {
  const custom = (provider.traits ?? []).filter((trait) => trait.startsWith('CUSTOM_'))
  const named = custom.flatMap((trait) => {
    const next = traitAfter(trait, entry, target)
    return next === null ? [] : [{ trait, next }]
  })
  const off = named.map(({ trait }) => trait)
  return {
    off: off.toSorted(),
    on: [...new Set(named.map(({ next }) => next))].toSorted(),
    foreign: custom.filter((trait) => !off.includes(trait)).toSorted(),
  }
}
