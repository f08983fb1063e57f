import type {
  Allocation,
  Flavor,
  HostAggregate,
  Migration,
  Project,
  ResourceProvider,
  Server,
} from '@/lib/domain/cloud/types'
import { GRAMMARS, type GrammarName, isWellFormed } from '@/lib/schemas/agent/grammar'
import { shownValue } from '@/lib/util/shown-value'

type Value = { name: GrammarName; value: string | null }
/** `one`, `many`: what the items are called; `valuesOf`: those of their values that have a grammar. */
type Kind<Item> = { one: string; many: string; valuesOf: (item: Item) => readonly Value[] }

/** Items that did not change since the last round are the same objects. */
const wellFormed = new WeakSet<object>()

const isMalformed = ({ name, value }: Value): boolean => value !== null && !isWellFormed(name, value)

/**
 * The items whose ids have the form that the service documents. The others are left out, and a note of the round names the
 * first of them: the rest of the list counts.
 */
export const leaveOutMalformed = <Item extends object>(
  items: readonly Item[],
  { one, many, valuesOf }: Kind<Item>,
  notes: string[],
): Item[] => {
  const valid: Item[] = []
  let first: Value | null = null
  for (const item of items) {
    const found = wellFormed.has(item) ? undefined : valuesOf(item).find(isMalformed)
    if (found === undefined) {
      valid.push(item)
      wellFormed.add(item)
    } else first ??= found
  }
  const count = items.length - valid.length
  if (first !== null)
    notes.push(
      `${count} ${count === 1 ? `${one} is` : `${many} are`} left out: ${shownValue(first.value ?? '')} ${GRAMMARS[first.name].rule}.`,
    )
  return valid
}

const id = (value: string | null): Value => ({ name: 'plainId', value })
const resources = (all: Readonly<Record<string, unknown>>): Value[] =>
  Object.keys(all).map((value) => ({ name: 'resourceClass', value }))

export const PROVIDERS: Kind<ResourceProvider> = {
  one: 'resource provider of Placement',
  many: 'resource providers of Placement',
  valuesOf: ({ uuid: own, parentUuid, rootUuid, traits, inventories }) => [
    ...[own, parentUuid, rootUuid].map(id),
    ...(traits ?? []).map((value): Value => ({ name: 'trait', value })),
    ...resources(inventories ?? {}),
  ],
}

export const ALLOCATIONS: Kind<Allocation> = {
  one: 'allocation of Placement',
  many: 'allocations of Placement',
  valuesOf: ({ consumerUuid, providerUuid, resources: amounts }) => [
    id(consumerUuid),
    id(providerUuid),
    ...resources(amounts),
  ],
}

export const SERVERS: Kind<Server> = {
  one: 'server of Nova',
  many: 'servers of Nova',
  valuesOf: (server) => [id(server.uuid)],
}

export const MIGRATIONS: Kind<Migration> = {
  one: 'migration of Nova',
  many: 'migrations of Nova',
  valuesOf: (migration) => [id(migration.uuid), id(migration.serverUuid)],
}

export const AGGREGATES: Kind<HostAggregate> = {
  one: 'host aggregate of Nova',
  many: 'host aggregates of Nova',
  valuesOf: (aggregate) => [id(aggregate.uuid)],
}

export const FLAVORS: Kind<Flavor> = {
  one: 'flavor of Nova',
  many: 'flavors of Nova',
  valuesOf: ({ id: flavorId, extraSpecs }) => [
    { name: 'flavorId', value: flavorId },
    ...Object.keys(extraSpecs).map((value): Value => ({ name: 'extraSpecKey', value })),
  ],
}

export const PROJECTS: Kind<Project> = {
  one: 'project of Keystone',
  many: 'projects of Keystone',
  valuesOf: (project) => [id(project.id)],
}
