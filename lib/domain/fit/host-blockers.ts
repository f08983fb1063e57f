import { closedBecause } from '@/lib/domain/cloud/closed-because'
import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { hostAggregates } from '@/lib/domain/cloud/host-aggregates'
import type { HostAggregate } from '@/lib/domain/cloud/types'
import { formatNoun } from '@/lib/util/format'
import { oncePer } from '@/lib/util/once-per'
import { aliasProblem } from './alias-meaning'
import { aliasBlocker } from './alias-supply'
import type { FitBlocker } from './fit-blocker'
import { type FlavorLike, type FlavorRequest, readFlavorRequest } from './flavor-request'
import { freeForNova } from './free-for-nova'
import { type ProviderFilter, type SlotNeed, unfitBecause } from './host-problem'
import { serversByNodes } from './node-headroom'

const ROOT_KINDS = { VCPU: 'cpu', PCPU: 'cpu', MEMORY_MB: 'memory', DISK_GB: 'disk' } as const

/** CPU, memory and disk that a compute node lacks for even one server. */
const rootBlockers = (joined: JoinedHost, request: FlavorRequest): FitBlocker[] => {
  const inventories = joined.root.value?.inventories
  if (inventories === null || inventories === undefined) return []
  const [plain] = request.groups
  return (['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB'] as const).flatMap((name): FitBlocker[] => {
    const amount = plain?.resources[name] ?? 0
    const inventory = inventories[name]
    if (amount === 0 || (inventory === undefined && name === 'DISK_GB')) return []
    const free = inventory === undefined ? 0 : inventory.capacity - inventory.used
    const max = inventory?.maxUnit ?? amount
    if (amount > max && inventory !== undefined)
      return [
        {
          kind: ROOT_KINDS[name],
          because: `a server can have at most ${max} of ${name} here, but ${amount} are requested`,
        },
      ]
    return free >= amount
      ? []
      : [
          {
            kind: ROOT_KINDS[name],
            because: `${Math.max(0, free)} of ${name} are free, but ${amount} are requested`,
          },
        ]
  })
}

/** The host as a whole has the CPUs and memory, and its NUMA nodes do not have them for one server. */
const nodeBlockers = (joined: JoinedHost, flavor: FlavorLike | null): FitBlocker[] =>
  flavor === null || serversByNodes(joined, flavor)?.value !== 0
    ? []
    : [
        {
          kind: 'numa',
          because: `its NUMA nodes do not have enough free CPUs and memory for a server${readFlavorRequest(flavor).aliases.length === 0 ? '' : ' next to a free device'}`,
        },
      ]

const PREFIX = 'aggregate_instance_extra_specs:'

const propertiesOf = oncePer(
  (aggregates: readonly HostAggregate[]): ReadonlySet<string> =>
    new Set(aggregates.flatMap(({ metadata }) => Object.keys(metadata))),
)

/**
 * Properties that AggregateInstanceExtraSpecsFilter checks: keys of its scope, and every key without a scope, including
 * `group_policy` (nova/scheduler/filters/aggregate_instance_extra_specs.py). No API reports whether the filter is
 * enabled. A key of its scope, or one that an aggregate has, indicates that it is meant to be.
 */
const propertiesIn = oncePer(({ input }: Fleet) =>
  oncePer((extraSpecs: FlavorLike['extraSpecs']): { name: string; value: string; isBare: boolean }[] => {
    const specs = Object.entries(extraSpecs)
    const bare = specs.filter(([key]) => !key.includes(':'))
    const scoped = specs.filter(([key]) => key.startsWith(PREFIX))
    const { value: aggregates } = input.facts.aggregates
    const isMeant =
      scoped.length > 0 || (aggregates !== null && bare.some(([key]) => propertiesOf(aggregates).has(key)))
    if (!isMeant) return []
    return [
      ...scoped.map(([key, value]) => ({ name: key.slice(PREFIX.length), value, isBare: false })),
      ...bare.map(([name, value]) => ({ name, value, isBare: true })),
    ]
  }),
)

const wantedProperties = (fleet: Fleet, extraSpecs: FlavorLike['extraSpecs']) =>
  propertiesIn(fleet)(extraSpecs)

/** Aggregates' metadata against the flavor's, as AggregateInstanceExtraSpecsFilter compares plain values. */
export const aggregateBlockers = (
  fleet: Fleet,
  joined: JoinedHost,
  extraSpecs: FlavorLike['extraSpecs'],
): FitBlocker[] => {
  const wanted = wantedProperties(fleet, extraSpecs)
  if (wanted.length === 0) return []
  const own = hostAggregates(fleet, joined) ?? []
  return wanted.flatMap(({ name, value, isBare }) => {
    const isMet = own.some(
      ({ metadata }) => metadata[name]?.split(',').some((part) => part.trim() === value) === true,
    )
    const why = isBare
      ? ', which AggregateInstanceExtraSpecsFilter looks for, because the extra spec has no scope'
      : ''
    return isMet
      ? []
      : [{ kind: 'aggregate' as const, because: `none of its aggregates has ${name}=${value}${why}` }]
  })
}

/** What keeps a whole host from taking a server of a request. */
export const hostBlockers = (
  fleet: Fleet,
  joined: JoinedHost,
  {
    request,
    flavor,
    availabilityZone,
  }: {
    request: FlavorRequest
    flavor: FlavorLike | null
    availabilityZone: string | null
  },
): FitBlocker[] => {
  const closed = closedBecause(joined)
  const zone = joined.service.value?.availabilityZone ?? null
  const problem = aliasProblem(fleet, request)
  return [
    ...(problem?.state === 'missing' ? [{ kind: 'alias' as const, because: problem.because }] : []),
    ...(closed === null ? [] : [{ kind: 'service' as const, because: closed }]),
    ...(availabilityZone === null || zone === null || zone === availabilityZone
      ? []
      : [
          {
            kind: 'zone' as const,
            because: `it is in the availability zone ${zone}, not ${availabilityZone}`,
          },
        ]),
    ...aggregateBlockers(fleet, joined, flavor?.extraSpecs ?? {}),
    ...rootBlockers(joined, request),
    ...nodeBlockers(joined, flavor),
  ]
}

const forNeed = (
  joined: JoinedHost,
  entry: JoinedPgpu,
  need: SlotNeed,
  filter: ProviderFilter,
): FitBlocker | null => {
  const root = joined.root.value
  const usable = entry.providers.filter((provider) => filter(joined, provider))
  if (usable.length === 0) return { kind: 'class', because: 'it carries another type' }
  const unfit = usable.map((provider) => unfitBecause(need, provider, root))
  const [first] = unfit
  if (first !== null && first !== undefined && unfit.every((reason) => reason !== null)) return first
  const fit = usable.filter((_, index) => unfit[index] === null)
  const hasHeadroom = fit.some(({ provider }) =>
    Object.entries(need.amounts).every(([name, amount]) => {
      const inventory = provider.inventories?.[name]
      return inventory !== undefined && inventory.capacity - inventory.used >= amount
    }),
  )
  return hasHeadroom ? null : { kind: 'full', because: 'fully allocated in Placement' }
}

const providerBlockers = (
  joined: JoinedHost,
  entry: JoinedPgpu,
  needs: readonly SlotNeed[],
  filter: ProviderFilter,
): FitBlocker[] => {
  if (entry.providers.length === 0)
    return [{ kind: 'provider', because: 'Placement has no resource provider for it' }]
  const blocked = needs.map((need) => forNeed(joined, entry, need, filter)).filter((found) => found !== null)
  if (blocked.length === needs.length && blocked[0] !== undefined) return [blocked[0]]
  const free = freeForNova(entry).value
  if (free !== 0) return []
  const { orphan } = entry.pgpu.numbers
  const held =
    orphan.value !== null && orphan.value > 0
      ? `, ${formatNoun(orphan.value, 'orphaned mdev holds', 'orphaned mdevs hold')} it on another type`
      : ''
  return [{ kind: 'hardware', because: `Placement has some left, but the card can make no more${held}` }]
}

/** What prevents one pGPU from serving any part of a request, independent of the rest of its host. */
export const pgpuBlockers = (
  fleet: Fleet,
  joined: JoinedHost,
  entry: JoinedPgpu,
  {
    needs,
    request: { aliases },
    filter,
  }: { needs: readonly SlotNeed[]; request: Pick<FlavorRequest, 'aliases'>; filter: ProviderFilter },
): FitBlocker[] => {
  const ofProviders =
    needs.length === 0 && aliases.length > 0 ? null : providerBlockers(joined, entry, needs, filter)
  if (aliases.length === 0) return ofProviders ?? []
  if (aliasProblem(fleet, { aliases }) !== null || ofProviders?.length === 0) return []
  const ofAlias = aliasBlocker(fleet, joined, { address: entry.pgpu.address, aliases })
  return ofAlias === null ? [] : [...(ofProviders ?? []), ofAlias].slice(0, 1)
}
