import type { Fleet, GpuProvider, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { ProviderInventory, ResourceProvider } from '@/lib/domain/cloud/types'
import { oncePer } from '@/lib/util/once-per'
import { countAtOnce, countFits, type FitCount, type FitProblem } from './count-fits'
import type { FlavorRequest } from './flavor-request'
import { boundOf, type Devices, hostProblem, slotNeeds } from './host-problem'

/** Servers that the providers and cards of a host take of a request, CPU, memory and disk aside. */
export type DeviceCounts = {
  /** Each part of the request has a provider that could serve it. */
  isServed: boolean
  /** Why a card that could serve is not known; null: all are. */
  unknownCard: string | null
  byPlacement: FitCount
  /** Without the cards that are not known. */
  surely: FitCount
  /** Of one request for several servers. */
  atOnce: FitCount
}

type CountedProblem = {
  problem: FitProblem
  unknownCard: string | null
  unknownCards: readonly string[]
  /** The slots that Placement serves. Hosts claim devices by alias server by server. */
  withoutAliases?: FitProblem['slots']
}

const NONE: FitCount = { count: 0, isExact: true }

export const countProblem = ({
  problem,
  unknownCard,
  unknownCards,
  withoutAliases = problem.slots,
}: CountedProblem): DeviceCounts => {
  const isServed = problem.slots.every(({ eligible }) => eligible.size > 0)
  const byPlacement = countFits({ ...problem, cards: {} })
  if (byPlacement.count === 0 && byPlacement.isExact)
    return { isServed, unknownCard, byPlacement, surely: NONE, atOnce: NONE }
  const shut = Object.fromEntries(unknownCards.map((card) => [card, 0]))
  const sure = { ...problem, cards: { ...problem.cards, ...shut } }
  return {
    isServed,
    unknownCard,
    byPlacement,
    surely: countFits(sure),
    atOnce: countAtOnce({ ...sure, slots: withoutAliases }),
  }
}

const providerText = oncePer(({ traits, inventories }: ResourceProvider): string =>
  JSON.stringify([
    traits,
    Object.entries(inventories ?? {}).map(([name, { capacity, used, maxUnit }]) => [
      name,
      capacity,
      used,
      maxUnit,
    ]),
  ]),
)

const providersText = (entries: readonly GpuProvider[]): string =>
  entries
    .map(({ provider }) => providerText(provider))
    .toSorted()
    .join()

/** Equal for devices of which every request gets as many; null: something is not known, and the reason names the host. */
const devicesText = (devices: Devices): string | null => {
  const { root, pgpus, strays, isUnused = false } = devices
  const cards: string[] = []
  for (const entry of pgpus) {
    if (entry.providers.length === 0) continue
    const bound = boundOf(devices, entry).value
    const isUnread = entry.providers.some(({ provider }) => provider.inventories === null)
    if (isUnread || (bound === null && !isUnused)) return null
    cards.push(`${bound} ${providersText(entry.providers)}`)
  }
  return JSON.stringify([root.value?.traits ?? null, cards.toSorted(), providersText(strays)])
}

/** Hosts whose devices are alike share one group, with what was counted of it. */
export type DeviceGroup = { devices: Devices; counts: Map<string, DeviceCounts> }

const groupsOf = oncePer((_: Fleet) => new Map<string, DeviceGroup>())

/** A fleet that a plan changes keeps the groups of its unchanged hosts. */
const groupOfDevices = new WeakMap<Devices, DeviceGroup>()

/** The group of a host's devices. */
export const deviceGroup = (fleet: Fleet, devices: Devices): DeviceGroup => {
  const known = groupOfDevices.get(devices)
  if (known !== undefined) return known
  const text = devicesText(devices)
  const groups = groupsOf(fleet)
  const group = (text === null ? undefined : groups.get(text)) ?? { devices, counts: new Map() }
  if (text !== null) groups.set(text, group)
  groupOfDevices.set(devices, group)
  return group
}

/** Equal for requests that need the same of devices. */
export const requestText = oncePer((request: Pick<FlavorRequest, 'groups' | 'groupPolicy'>): string =>
  JSON.stringify([request.groupPolicy === 'isolate', slotNeeds(request)]),
)

/** What a host's providers and cards take of a request; devices by alias are not counted. Counted once for hosts that are alike. */
export const countDevices = (
  fleet: Fleet,
  devices: Devices,
  request: Pick<FlavorRequest, 'groups' | 'groupPolicy'>,
): DeviceCounts => {
  const group = deviceGroup(fleet, devices)
  const text = requestText(request)
  const known = group.counts.get(text)
  if (known !== undefined) return known
  const counts = countProblem(
    hostProblem({
      joined: group.devices,
      needs: slotNeeds(request),
      headroom: Number.POSITIVE_INFINITY,
      isIsolated: request.groupPolicy === 'isolate',
    }),
  )
  group.counts.set(text, counts)
  return counts
}

// Without a spread, for which V8 creates one hidden class per object: tens of thousands are kept.
const unusedInventory = (inventory: ProviderInventory): ProviderInventory => ({
  capacity: inventory.capacity,
  used: 0,
  total: inventory.total,
  reserved: inventory.reserved,
  allocationRatio: inventory.allocationRatio,
  minUnit: inventory.minUnit,
  maxUnit: inventory.maxUnit,
  stepSize: inventory.stepSize,
})

/** A provider with nothing in use. */
export const emptyProvider = oncePer(
  (provider: ResourceProvider): ResourceProvider => ({
    uuid: provider.uuid,
    name: provider.name,
    generation: provider.generation,
    parentUuid: provider.parentUuid,
    rootUuid: provider.rootUuid,
    inventories:
      provider.inventories === null
        ? null
        : Object.fromEntries(
            Object.entries(provider.inventories).map(([name, inventory]) => [
              name,
              unusedInventory(inventory),
            ]),
          ),
    traits: provider.traits,
    aggregateUuids: provider.aggregateUuids,
  }),
)

const emptied = ({ provider, kind, address }: GpuProvider): GpuProvider => ({
  provider: emptyProvider(provider),
  kind,
  address,
})

/** A host's providers with nothing in use, without the bounds of its cards. */
export const emptyDevices = oncePer(
  ({ root, pgpus, strays }: Devices): Devices => ({
    root,
    pgpus: [],
    strays: [...pgpus.flatMap(({ providers }) => providers), ...strays].map(emptied),
  }),
)

/** A host's cards and providers with nothing in use. */
export const unusedDevices = oncePer(
  ({ root, pgpus, strays }: JoinedHost): Devices => ({
    root,
    pgpus: pgpus.map((entry) => ({ ...entry, providers: entry.providers.map(emptied) })),
    strays: strays.map(emptied),
    isUnused: true,
  }),
)
