import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { wantedTypes } from '@/lib/domain/plans/host-steps/vfio/wanted-types'
import { aggregatesByHost } from './aggregates-by-host'

type NamedType = { typeId: string; name: string }

/** The available inputs of steps. */
export type WhatIfChoices = {
  types: (NamedType & { cards: number; to: NamedType[] })[]
  hosts: { name: string; cards: number; aggregates: string[] }[]
  aggregates: string[]
}

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1)

/** Types with what their cards could become, hosts with GPUs, and Nova's aggregates. */
export const listChoices = (fleet: Fleet): WhatIfChoices => {
  const types = new Map<string, NamedType & { cards: number; to: Map<string, NamedType> }>()
  for (const { pgpu } of fleet.hosts.flatMap(({ pgpus }) => pgpus)) {
    const { currentType } = pgpu
    if (currentType === null) continue
    const { typeId, shortName: name } = currentType
    const held = types.get(typeId) ?? { typeId, name, cards: 0, to: new Map<string, NamedType>() }
    held.cards += 1
    for (const type of wantedTypes(pgpu))
      if (type.typeId !== typeId) held.to.set(type.typeId, { typeId: type.typeId, name: type.shortName })
    types.set(typeId, held)
  }
  const namesOf = aggregatesByHost(fleet)
  return {
    types: [...types.values()]
      .map(({ to, ...type }) => ({ ...type, to: [...to.values()].toSorted(byName) }))
      .toSorted(byName),
    hosts: fleet.hosts
      .filter(({ pgpus }) => pgpus.length > 0)
      .map((joined) => ({
        name: joined.host.name,
        cards: joined.pgpus.length,
        aggregates: [...namesOf(joined)],
      }))
      .toSorted(byName),
    aggregates: (fleet.input.facts.aggregates.value ?? []).map(({ name }) => name).toSorted(),
  }
}
