import type { Fleet, GpuProvider, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { providerNameFor } from '@/lib/domain/cloud/occupants'
import type { Flavor, ProviderInventory } from '@/lib/domain/cloud/types'
import { limitView } from '@/lib/domain/findings/cloud/limit-view'
import { couldLand } from '@/lib/domain/fit/could-land'
import { gpuAmounts, readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import type { SupportedType } from '@/lib/domain/pgpu/types'
import { classInLayout, type HostLayout, parentsOfPgpu } from './host-layout'
import { type TraitsMove, traitsMove } from './type-traits-after'

/** A host and those of its pGPUs that get another type. */
export type HostTargets = {
  joined: JoinedHost
  targets: readonly { entry: JoinedPgpu; to: SupportedType }[]
}

/** A host's part of the change, of cards whose type stands in nova.conf. */
export type HostDraft = HostTargets & {
  before: HostLayout
  after: HostLayout
  rule: string
}

/** Capacity of one vGPU type over the whole cloud, in vGPUs. */
export type TypeCapacity = { typeId: string; typeName: string; before: number; after: number }

/** Hosts that a flavor can land on when nothing else runs there, by Placement. */
export type FlavorHosts = { flavorId: string; name: string; before: number; after: number }

/** A quota's resource whose capacity changes. `limit`: what Keystone registers as default; null: nothing. */
export type LimitChange = { resourceName: string; before: number; after: number; limit: number | null }

export const emptyInventory = (total: number): ProviderInventory => ({
  capacity: total,
  used: 0,
  total,
  reserved: 0,
  allocationRatio: 1,
  minUnit: 1,
  maxUnit: total,
  stepSize: 1,
})

/** The traits that every provider of a target moves through. */
export const movesOf = ({ targets, rule }: HostDraft): { entry: GpuProvider; move: TraitsMove }[] =>
  targets.flatMap(({ entry, to }) =>
    entry.providers
      .filter(({ kind }) => kind === 'mdev')
      .map((provider) => ({ entry: provider, move: traitsMove(entry, provider, { to, rule }) })),
  )

/** vGPUs of a type that Placement will have of a pGPU. */
export const totalAfter = ({ joined, after }: HostDraft, entry: JoinedPgpu, to: SupportedType): number => {
  const parents = parentsOfPgpu(joined, entry.pgpu.address)
  const most = to.maxInstance ?? 0
  if (parents.length === 1) return most
  const given = after.parents.filter(
    ({ address, typeId }) => typeId === to.typeId && parents.includes(address),
  ).length
  return Math.min(given, most)
}

const providersAfter = (draft: HostDraft, entry: JoinedPgpu, to: SupportedType): GpuProvider[] => {
  const { joined, after, rule } = draft
  const parents = parentsOfPgpu(joined, entry.pgpu.address)
  const given = after.parents.filter(
    ({ address, typeId }) => typeId === to.typeId && parents.includes(address),
  )
  const root = joined.root.value
  const [sibling] = entry.providers
  const total = parents.length === 1 ? (to.maxInstance ?? 0) : 1
  return given.flatMap(({ address }): GpuProvider[] => {
    const own = entry.providers.find((provider) => provider.address === address) ?? sibling
    if (own === undefined || root === null) return []
    const { on, foreign } = traitsMove(entry, own, { to, rule })
    return [
      {
        kind: 'mdev',
        address,
        provider: {
          ...own.provider,
          uuid: own.address === address ? own.provider.uuid : `new ${address}`,
          name: providerNameFor(joined, address),
          inventories: { [classInLayout(after, to.typeId)]: emptyInventory(total) },
          traits: [...on, ...foreign],
        },
      },
    ]
  })
}

/** A host as Placement will have it. */
export const hostAfter = (draft: HostDraft): JoinedHost => ({
  ...draft.joined,
  pgpus: draft.joined.pgpus.map((entry) => {
    const target = draft.targets.find(({ entry: { pgpu } }) => pgpu.address === entry.pgpu.address)
    return target === undefined ? entry : { ...entry, providers: providersAfter(draft, entry, target.to) }
  }),
})

/** Hosts that change, with what they become. */
export type ChangedHosts = ReadonlyMap<JoinedHost, JoinedHost>

/** Flavors that can land on more or fewer hosts afterwards. */
export const flavorHosts = (fleet: Fleet, changed: ChangedHosts): FlavorHosts[] => {
  const asking = (fleet.input.facts.flavors.value ?? [])
    .filter((flavor: Flavor) => !flavor.isDisabled)
    .map((flavor) => ({ flavor, request: readFlavorRequest(flavor) }))
    .filter(({ request }) => gpuAmounts(request).size > 0)
  return asking
    .flatMap(({ flavor, request }): FlavorHosts[] => {
      const lands = (joined: JoinedHost): number => (couldLand(joined, request) === true ? 1 : 0)
      const difference = [...changed].reduce((sum, [was, is]) => sum + lands(is) - lands(was), 0)
      if (difference === 0) return []
      const before = fleet.hosts.reduce((sum, joined) => sum + lands(joined), 0)
      return [{ flavorId: flavor.id, name: flavor.name, before, after: before + difference }]
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Capacity by type before and after, of the types that the change touches. */
export const typeCapacities = (fleet: Fleet, drafts: readonly HostTargets[]): TypeCapacity[] => {
  const touched = new Map<string, TypeCapacity>()
  const add = (typeId: string, typeName: string, sign: number, count: number) => {
    const held = touched.get(typeId) ?? { typeId, typeName, before: 0, after: 0 }
    touched.set(typeId, { ...held, after: held.after + sign * count })
  }
  for (const { targets } of drafts)
    for (const { entry, to } of targets) {
      const { currentType, numbers } = entry.pgpu
      if (currentType !== null)
        add(currentType.typeId, currentType.shortName, -1, numbers.capacity.value ?? 0)
      add(to.typeId, to.shortName, 1, to.maxInstance ?? 0)
    }
  const now = (typeId: string): number =>
    fleet.hosts
      .flatMap(({ pgpus }) => pgpus)
      .filter(({ pgpu }) => pgpu.currentType?.typeId === typeId)
      .reduce((sum, { pgpu }) => sum + (pgpu.numbers.capacity.value ?? 0), 0)
  return [...touched.values()].map((entry) => {
    const before = now(entry.typeId)
    return { ...entry, before, after: before + entry.after }
  })
}

const classTotal = (hosts: readonly JoinedHost[], resourceClass: string): number =>
  hosts
    .flatMap(({ pgpus }) => pgpus.flatMap(({ providers }) => providers))
    .reduce((sum, { provider }) => sum + (provider.inventories?.[resourceClass]?.capacity ?? 0), 0)

/** The quota resources whose amount in the cloud changes, beside what Keystone's limits allow. */
export const limitChanges = (fleet: Fleet, changed: ChangedHosts): LimitChange[] => {
  const view = limitView(fleet)
  if (view === null) return []
  const hosts = fleet.hosts.map((joined) => changed.get(joined) ?? joined)
  const classes = new Set(
    [...fleet.hosts, ...hosts].flatMap(({ pgpus }) =>
      pgpus.flatMap(({ providers }) =>
        providers.flatMap(({ provider }) => Object.keys(provider.inventories ?? {})),
      ),
    ),
  )
  return [...classes].toSorted().flatMap((name): LimitChange[] => {
    const before = classTotal(fleet.hosts, name)
    const after = classTotal(hosts, name)
    if (before === after) return []
    const limit = view.effective.get(`class:${name}`)?.defaultLimit ?? null
    return [{ resourceName: `class:${name}`, before, after, limit }]
  })
}
