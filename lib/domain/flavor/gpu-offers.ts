import { expectedParents } from '@/lib/domain/cloud/expected-providers'
import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { traitsNaming } from '@/lib/domain/cloud/type-traits'
import type { ResourceProvider } from '@/lib/domain/cloud/types'
import { readPciAliases } from '@/lib/domain/nova-config/pci-alias'
import type { TypeFacts } from '@/lib/domain/vgpu-type/read-type'
import { listText } from '@/lib/domain/wording'
import { naturalOrder } from '@/lib/util/natural-order'

type Sizes = Pick<TypeFacts, 'typeId' | 'framebufferMib' | 'heads' | 'maxResolution'>

/** A vGPU type that pGPUs carry now, and what a flavor has to ask for to get that one. */
export type GpuOffer = Sizes & {
  name: string
  models: string[]
  /** `VGPU`, or the custom class that its providers have. */
  resourceClass: string
  /** Carried by every provider of the type and by no other of its class; null: there is none. */
  trait: string | null
  /** The class alone distinguishes the type from all others. */
  isClassEnough: boolean
  /** Why a flavor can't ask for just this type; null: it can. */
  because: string | null
  pgpuCount: number
  hosts: string[]
}

/** `[pci] alias` of the hosts by name. */
export type AliasOffer = { name: string; hosts: string[]; means: string }

type Carrier = {
  type: Sizes & { name: string; shortName: string }
  resourceClass: string
  model: string
  host: string
  pgpu: string
  traits: readonly string[]
}

const PLAIN = new Set(['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB'])

const gpuClassOf = ({ inventories }: ResourceProvider, expected: string): string | null => {
  const classes = Object.keys(inventories ?? {}).filter((name) => !PLAIN.has(name))
  return classes.includes(expected) ? expected : (classes[0] ?? null)
}

const carriersOf = (joined: JoinedHost, { pgpu, providers }: JoinedPgpu): Carrier[] => {
  const parents = new Map(
    (expectedParents(joined, pgpu.address) ?? [])
      .filter(({ isSupported }) => isSupported)
      .map((parent) => [parent.address, parent]),
  )
  return providers.flatMap(({ provider, address }): Carrier[] => {
    const parent = parents.get(address)
    const type = pgpu.supportedTypes?.find(({ typeId }) => typeId === parent?.typeId)
    const resourceClass = parent === undefined ? null : gpuClassOf(provider, parent.resourceClass)
    if (type === undefined || resourceClass === null || provider.traits === null) return []
    const { typeId, shortName, framebufferMib, heads, maxResolution } = type
    return [
      {
        type: { typeId, shortName, name: type.name ?? shortName, framebufferMib, heads, maxResolution },
        resourceClass,
        model: pgpu.model,
        host: joined.host.name,
        pgpu: `${joined.host.name} ${pgpu.address}`,
        traits: provider.traits,
      },
    ]
  })
}

const keyOf = ({ type, resourceClass }: Carrier): string => `${resourceClass} ${type.shortName}`

/** Traits of providers of a class whose type is unknown: unmatched providers, and those of hosts without an agent. */
const unreportedTraits = (fleet: Fleet, resourceClass: string): string[] =>
  [...fleet.unseen.flatMap(({ providers }) => providers), ...fleet.hosts.flatMap(({ strays }) => strays)]
    .filter(({ provider }) => provider.inventories?.[resourceClass] !== undefined)
    .flatMap(({ provider }) => provider.traits ?? [])

const grouped = <Item>(items: readonly Item[], keyOf: (item: Item) => string): [string, Item[]][] => {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return [...groups]
}

/** The providers of one type and class. */
type Group = {
  key: string
  resourceClass: string
  name: string
  own: readonly Carrier[]
  /** The different lists of traits of its providers: of thousands there are few. */
  traitLists: readonly ReadonlySet<string>[]
  traits: ReadonlySet<string>
}

const groupOf = ([key, own]: readonly [string, readonly Carrier[]]): Group => {
  const lists = new Map(own.map(({ traits }) => [traits.join(' '), traits]))
  return {
    key,
    resourceClass: own[0]?.resourceClass ?? '',
    name: own[0]?.type.shortName ?? '',
    own,
    traitLists: [...lists.values()].map((traits) => new Set(traits)),
    traits: new Set([...lists.values()].flat()),
  }
}

const sorted = (texts: Iterable<string>): string[] => [...new Set(texts)].toSorted(naturalOrder)

const offerOf = (fleet: Fleet, { key, own, traitLists }: Group, all: readonly Group[]): GpuOffer[] => {
  const [first] = own
  if (first === undefined) return []
  const { type, resourceClass } = first
  const others = all.filter((other) => other.resourceClass === resourceClass && other.key !== key)
  const unreported = unreportedTraits(fleet, resourceClass)
  const foreign = new Set([...others.flatMap(({ traits }) => [...traits]), ...unreported])
  const common = first.traits.filter(
    (trait) => !foreign.has(trait) && traitLists.every((traits) => traits.has(trait)),
  )
  const naming = traitsNaming(type)
  const custom = common.filter((trait) => trait.startsWith('CUSTOM_')).toSorted()
  const trait = custom.find((name) => naming.has(name)) ?? custom[0] ?? null
  const isClassEnough = others.length === 0 && unreported.length === 0
  const rivals = sorted(others.map(({ name }) => name))
  const { typeId, framebufferMib, heads, maxResolution } = type
  return [
    {
      typeId,
      name: type.shortName,
      framebufferMib,
      heads,
      maxResolution,
      models: sorted(own.map(({ model }) => model)),
      resourceClass,
      trait,
      isClassEnough,
      because:
        trait !== null || isClassEnough
          ? null
          : `no trait distinguishes it from ${rivals.length === 0 ? 'the others' : listText(rivals)} of the class ${resourceClass}: tag its pGPUs first`,
      pgpuCount: new Set(own.map(({ pgpu }) => pgpu)).size,
      hosts: sorted(own.map(({ host }) => host)),
    },
  ]
}

/** The vGPU types that pGPUs of hosts which are not silent carry in Placement now, in the order of their names. A step per host. */
export function* gpuOffers(fleet: Fleet): Generator<void, GpuOffer[]> {
  const all: Carrier[] = []
  for (const joined of fleet.hosts) {
    if (joined.host.isSilent) continue
    for (const entry of joined.pgpus) all.push(...carriersOf(joined, entry))
    yield
  }
  const groups = grouped(all, keyOf).map(groupOf)
  yield
  const offers: GpuOffer[] = []
  for (const group of groups) {
    offers.push(...offerOf(fleet, group, groups))
    yield
  }
  return offers.toSorted(
    (a, b) => naturalOrder(a.name, b.name) || naturalOrder(a.resourceClass, b.resourceClass),
  )
}

const meaningOf = ({
  resource_class: resourceClass,
  vendor_id: vendor,
  product_id: product,
}: ReturnType<typeof readPciAliases>[number]): string =>
  resourceClass ??
  (vendor === undefined && product === undefined ? 'any device' : `${vendor ?? '*'}:${product ?? '*'}`)

/** The aliases of PCI devices that the hosts' own nova.conf has, in the order of their names. */
export const aliasOffers = (fleet: Fleet): AliasOffer[] => {
  const found = fleet.hosts.flatMap(({ host }) => {
    const config = host.inventory.novaConfig
    return config === null ? [] : readPciAliases(config).map((alias) => ({ alias, host: host.name }))
  })
  return grouped(found, ({ alias }) => alias.name)
    .map(([name, entries]) => ({
      name,
      hosts: sorted(entries.map(({ host }) => host)),
      means: sorted(entries.map(({ alias }) => meaningOf(alias))).join(', '),
    }))
    .toSorted((a, b) => naturalOrder(a.name, b.name))
}
