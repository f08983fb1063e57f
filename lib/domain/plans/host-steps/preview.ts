import type { Fleet, GpuProvider, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { providerNameFor } from '@/lib/domain/cloud/occupants'
import type { ProviderInventory } from '@/lib/domain/cloud/types'
import { couldLand } from '@/lib/domain/fit/could-land'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { gpuAmountsIn } from '@/lib/domain/fit/gpu-classes'
import { prepareFlavors } from '@/lib/domain/fit/prepare-hosts'
import { limitView } from '@/lib/domain/limits/limit-view'
import type { SupportedType } from '@/lib/domain/pgpu/types'
import { classInLayout, type HostLayout, parentsOfPgpu } from './host-layout'
import { type TraitsMove, traitsMove } from './type-traits-after'

/** A host and those of its pGPUs that get another type. */
export type HostTargets = {
  joined: JoinedHost
  targets: readonly { entry: JoinedPgpu; to: SupportedType }[]
}

/** A host's part of the change, of cards whose type is set in nova.conf. */
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

type Target = HostTargets['targets'][number]

/** The parents of a target that nova.conf will give the type. */
const givenParents = ({ joined, after }: HostDraft, { entry, to }: Target): string[] => {
  const parents = parentsOfPgpu(joined, entry.pgpu.address)
  return after.parents.flatMap(({ address, typeId }) =>
    typeId === to.typeId && parents.includes(address) ? [address] : [],
  )
}

/** How a provider's traits change, by the device that it represents. `isNew`: Placement has none there now. */
export type MovedProvider = { address: string; name: string; isNew: boolean; move: TraitsMove }

/** The traits of each provider that a target has now. */
export const movesOf = ({ targets, rule }: HostDraft): MovedProvider[] =>
  targets.flatMap(({ entry, to }) =>
    entry.providers
      .filter(({ kind }) => kind === 'mdev')
      .map((own) => ({
        address: own.address,
        name: own.provider.name,
        isNew: false,
        move: traitsMove(entry, own, { to, rule }),
      })),
  )

/**
 * The traits of each provider that a target will have. A parent without a provider now, because the old type did not need it
 * or the card was full, is tagged like its neighbours.
 */
export const movesAfter = (draft: HostDraft, target: Target): MovedProvider[] => {
  const { entry, to } = target
  const providers = entry.providers.filter(({ kind }) => kind === 'mdev')
  return givenParents(draft, target).flatMap((address) => {
    const own = providers.find((provider) => provider.address === address)
    const like = own ?? providers[0]
    if (like === undefined) return []
    const move = traitsMove(entry, like, { to, rule: draft.rule })
    const name = own?.provider.name ?? providerNameFor(draft.joined, address)
    return [{ address, name, isNew: own === undefined, move }]
  })
}

/** vGPUs of a type that Placement will have of a pGPU. */
export const totalAfter = (draft: HostDraft, target: Target): number => {
  const max = target.to.maxInstance ?? 0
  return parentsOfPgpu(draft.joined, target.entry.pgpu.address).length === 1
    ? max
    : Math.min(givenParents(draft, target).length, max)
}

const providersAfter = (draft: HostDraft, target: Target): GpuProvider[] => {
  const { joined, after } = draft
  const { entry, to } = target
  const [sibling] = entry.providers
  const total = parentsOfPgpu(joined, entry.pgpu.address).length === 1 ? (to.maxInstance ?? 0) : 1
  if (joined.root.value === null) return []
  return movesAfter(draft, target).flatMap(({ address, name, move: { on, foreign } }): GpuProvider[] => {
    const own = entry.providers.find((provider) => provider.address === address)
    const like = own ?? sibling
    if (like === undefined) return []
    return [
      {
        kind: 'mdev',
        address,
        provider: {
          ...like.provider,
          uuid: own === undefined ? `new ${address}` : own.provider.uuid,
          name,
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
    return target === undefined ? entry : { ...entry, providers: providersAfter(draft, target) }
  }),
})

/** Hosts that change, with what they become. */
export type ChangedHosts = ReadonlyMap<JoinedHost, JoinedHost>

/** Flavors that can land on more or fewer hosts afterwards, in steps: between two of them other work can run. */
export function* flavorHosts(fleet: Fleet, changed: ChangedHosts): Generator<void, FlavorHosts[]> {
  yield* prepareFlavors(fleet)
  const found: FlavorHosts[] = []
  for (const flavor of fleet.input.facts.flavors.value ?? []) {
    yield
    const request = readFlavorRequest(flavor)
    if (flavor.isDisabled || gpuAmountsIn(fleet, request).size === 0) continue
    const lands = (joined: JoinedHost): number => (couldLand(fleet, joined, request) === true ? 1 : 0)
    const difference = [...changed].reduce((sum, [was, is]) => sum + lands(is) - lands(was), 0)
    if (difference === 0) continue
    let before = 0
    for (const joined of fleet.hosts) {
      before += lands(joined)
      yield
    }
    found.push({ flavorId: flavor.id, name: flavor.name, before, after: before + difference })
  }
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1))
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
  const now = new Map<string, number>()
  for (const { pgpus } of fleet.hosts)
    for (const { pgpu } of pgpus) {
      const typeId = pgpu.currentType?.typeId
      if (typeId !== undefined) now.set(typeId, (now.get(typeId) ?? 0) + (pgpu.numbers.capacity.value ?? 0))
    }
  return [...touched.values()].map((entry) => {
    const before = now.get(entry.typeId) ?? 0
    return { ...entry, before, after: before + entry.after }
  })
}

/** Capacity of each resource class on the GPU providers of hosts. */
const classTotals = (hosts: readonly JoinedHost[]): Map<string, number> => {
  const totals = new Map<string, number>()
  for (const { pgpus } of hosts)
    for (const { providers } of pgpus)
      for (const { provider } of providers)
        for (const [name, { capacity }] of Object.entries(provider.inventories ?? {}))
          totals.set(name, (totals.get(name) ?? 0) + capacity)
  return totals
}

/** The quota resources whose amount in the cloud changes, compared with the limits in Keystone. */
export const limitChanges = (fleet: Fleet, changed: ChangedHosts): LimitChange[] => {
  const view = limitView(fleet)
  if (view === null) return []
  const totals = classTotals(fleet.hosts)
  const totalsAfter = classTotals(fleet.hosts.map((joined) => changed.get(joined) ?? joined))
  const classes = new Set([...totals.keys(), ...totalsAfter.keys()])
  return [...classes].toSorted().flatMap((name): LimitChange[] => {
    const before = totals.get(name) ?? 0
    const after = totalsAfter.get(name) ?? 0
    if (before === after) return []
    const limit = view.effective.get(`class:${name}`)?.defaultLimit ?? null
    return [{ resourceName: `class:${name}`, before, after, limit }]
  })
}
