import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Pgpu } from '@/lib/domain/pgpu/types'
import { wantedTypes } from '@/lib/domain/plans/host-steps/vfio/wanted-types'
import { aggregateNames } from './aggregate-names'
import { type CardChoice, listCards } from './list-cards'

type NamedType = { typeId: string; name: string }

/** The available inputs of steps. */
export type ScenarioChoices = {
  types: (NamedType & { cards: number; to: NamedType[] })[]
  hosts: { name: string; cards: number; aggregates: string[] }[]
  aggregates: string[]
  cards: CardChoice[]
}

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1)

/** What `wantedTypes` depends on. */
const inputOf = ({ framework, model, supportedTypes }: Pgpu): string[] => [
  framework,
  model,
  ...(supportedTypes ?? []).map(({ typeId, shortName }) => `${typeId} ${shortName}`),
]

/** Types with what their cards could become, hosts with GPUs, and Nova's aggregates. A step per host. */
export function* listChoices(fleet: Fleet): Generator<void, ScenarioChoices> {
  const types = new Map<string, NamedType & { cards: number; to: Map<string, string> }>()
  const read = new Set<string>()
  const hosts: ScenarioChoices['hosts'] = []
  for (const joined of fleet.hosts) {
    const { host, pgpus } = joined
    yield
    if (pgpus.length === 0) continue
    hosts.push({ name: host.name, cards: pgpus.length, aggregates: aggregateNames(fleet, joined) })
    for (const { pgpu } of pgpus) {
      const { currentType } = pgpu
      if (currentType === null) continue
      const { typeId, shortName: name } = currentType
      const held = types.get(typeId) ?? { typeId, name, cards: 0, to: new Map<string, string>() }
      held.cards += 1
      types.set(typeId, held)
      // Of thousands of cards, most list the same types.
      const key = [typeId, ...inputOf(pgpu)].join('\n')
      if (read.has(key)) continue
      read.add(key)
      for (const type of wantedTypes(pgpu)) held.to.set(type.typeId, type.shortName)
    }
  }
  const namedTypes = (to: ReadonlyMap<string, string>): NamedType[] =>
    [...to].map(([typeId, name]) => ({ typeId, name }))
  return {
    types: [...types.values()]
      .map(({ to, ...type }) => ({
        ...type,
        to: namedTypes(to)
          .filter(({ typeId }) => typeId !== type.typeId)
          .toSorted(byName),
      }))
      .toSorted(byName),
    hosts: hosts.toSorted(byName),
    aggregates: (fleet.input.facts.aggregates.value ?? []).map(({ name }) => name).toSorted(),
    cards: listCards(fleet),
  }
}
