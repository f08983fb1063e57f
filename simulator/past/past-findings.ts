import type { Fleet, FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { pciProviderName } from '@/lib/domain/cloud/provider-name'
import { hostSilent } from '@/lib/domain/findings/cloud/host-silent'
import { detectCloudFindings } from '@/lib/domain/findings/cloud/registry'
import { vgpusStranded } from '@/lib/domain/findings/cloud/vgpus-stranded'
import type { Finding } from '@/lib/domain/findings/finding'
import { NO_HEADROOM } from '@/lib/domain/fleet/stranded-reasons'
import { inventoryOf, mdevProvider } from '@/lib/domain/testing/build-cloud'
import { pciPools } from '@/simulator/openstack/compute/device-specs'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { DAY_MS, HOUR_MS, MINUTE_MS, workingMorning } from './demand'
import { fleetThen } from './fleet-then'
import { storyOf } from './host-stories'
import { cardsThen } from './host-then'
import { contextOf, FIRST, momentOf, type PastChange, SECOND, type World } from './past-change'
import { fleetOf, type ReportedHost } from './reported-hosts'
import type { HostPast } from './types'

export type PastAcknowledgement = { by: string; at: number; days: number; note: string }

/** A finding from the round that found it until the one that did not any more. Times in ms. */
export type PastFinding = {
  finding: Finding
  openedAt: number
  /** Null: it is still there. */
  closedAt: number | null
  acknowledged: PastAcknowledgement | null
}

/** Rounds come every half minute. */
const ROUND_MS = MINUTE_MS / 2
const SILENT_AFTER_MS = 2 * MINUTE_MS
const isFound = <Found extends object>(found: Found | Finding): found is Finding => 'key' in found

const reportedOf = (past: HostPast, at: number): ReportedHost => ({
  name: past.name,
  at,
  cards: [...cardsThen(past, at + 1).values()],
  silentSince: null,
  disabledReason: null,
  isFull: false,
  hasFlavor: true,
})

const silences = ({ past }: World): PastFinding[] =>
  past.hosts.flatMap((host) =>
    host.watches.slice(1).flatMap(({ since }, index): PastFinding[] => {
      const silentSince = host.watches[index]?.until ?? since
      if (since - silentSince <= SILENT_AFTER_MS) return []
      const openedAt = silentSince + SILENT_AFTER_MS + ROUND_MS
      const [finding] = hostSilent
        .detect(fleetOf({ ...reportedOf(host, openedAt), silentSince }))
        .filter(isFound)
      return finding === undefined
        ? []
        : [{ finding, openedAt, closedAt: since + ROUND_MS, acknowledged: null }]
    }),
  )

const strandedOn = (reported: ReportedHost): Finding[] => {
  const fleet = fleetOf(reported)
  return fleet.hosts.flatMap((joined) => vgpusStranded.detect(joined, fleet)).filter(isFound)
}

/** Who acknowledged it, and why it may stay. */
const KNOWN: Readonly<Record<string, { by: string; afterDays: number; note: string }>> = {
  'cmp-r5-04': {
    by: SECOND,
    afterDays: 4,
    note: 'Known: these cards wait for the flavor that is still being agreed on with bio-ml.',
  },
}

/** Hosts whose free capacity cannot be scheduled, from the time in their story on. */
const stranded = ({ past }: World): PastFinding[] =>
  past.hosts.flatMap((host) => {
    const { strandedDaysAgo, strandedBecause } = storyOf(host.name)
    const since = past.end - (strandedDaysAgo ?? 0) * DAY_MS
    if (strandedDaysAgo === null || since < past.begin) return []
    const reported = host.words.find(({ at, stranded: count }) => at >= since && (count ?? 0) > 0)
    if (reported === undefined) return []
    const openedAt = reported.at + ROUND_MS
    const known = KNOWN[host.name]
    const at = openedAt + (known?.afterDays ?? 0) * DAY_MS
    const acknowledged =
      known === undefined
        ? null
        : { by: known.by, at: workingMorning(at) + HOUR_MS, days: 365, note: known.note }
    const isFull = strandedBecause === NO_HEADROOM
    const then = { ...reportedOf(host, openedAt), isFull, hasFlavor: isFull }
    return strandedOn(then).map((finding) => ({
      finding,
      openedAt,
      closedAt: null,
      acknowledged,
    }))
  })

/** What Placement has of VFs that `device_spec` configures. */
const withPci = ({ input }: Fleet, { spec }: FleetHost): Fleet => {
  const { providers } = input.facts
  const [root] = providers.value ?? []
  if (root === undefined) return joinFleet(input)
  const pools = pciPools(spec).map(({ address, resourceClass, devices }, n) =>
    mdevProvider(root, {
      address,
      n,
      name: pciProviderName({ hypervisorHostname: root.name, address }),
      inventories: { [resourceClass]: inventoryOf(devices.length, 0) },
    }),
  )
  const value = [...(providers.value ?? []), ...pools]
  return joinFleet({ ...input, facts: { ...input.facts, providers: { ...providers, value } } } as FleetFacts)
}

/** Cards whose VFs have been configured without a type since the time in their story. */
const untyped = async (world: World): Promise<PastFinding[]> => {
  const found: PastFinding[] = []
  for (const host of world.past.hosts) {
    const { untypedDaysAgo } = storyOf(host.name)
    const since = world.past.end - (untypedDaysAgo ?? 0) * DAY_MS
    const context = contextOf(world, host.name)
    if (untypedDaysAgo === null || since < world.past.begin || context === null) continue
    const openedAt = Math.max(since, host.points[0]?.at ?? since) + ROUND_MS
    const fleet = await fleetThen([momentOf(context, openedAt)], { at: openedAt, cloud: world.cloud })
    const { findings } = detectCloudFindings(withPci(fleet, context.host))
    for (const finding of findings.filter(({ code }) => code === 'vfs-without-type'))
      found.push({ finding, openedAt, closedAt: null, acknowledged: null })
  }
  return found
}

/** While a change disables a host, its free capacity cannot be scheduled. */
const closings = ({ past }: World, changes: readonly PastChange[]): PastFinding[] =>
  changes.flatMap(({ plan, doneAt, stopped }) => {
    const closes = plan.steps.findIndex(({ task }) => task.kind === 'close-service')
    const { task } = plan.steps[closes] ?? {}
    if (task?.kind !== 'close-service') return []
    const host = past.hosts.find(({ name }) => name === task.host)
    const openedAt = (doneAt[closes] ?? 0) + ROUND_MS
    const closedAt = (stopped === null ? (doneAt.at(-1) ?? 0) : stopped.backAt) + ROUND_MS
    if (host === undefined || storyOf(host.name).strandedDaysAgo !== null) return []
    return strandedOn({ ...reportedOf(host, openedAt), disabledReason: task.reason }).map((finding) => ({
      finding,
      openedAt,
      closedAt,
      acknowledged: null,
    }))
  })

/** When each card of a host had mdevs that were no longer used; `until` null: it still has. */
const orphanTimes = (host: HostPast): { address: string; since: number; until: number | null }[] => {
  const open = new Map<string, number>()
  const times: { address: string; since: number; until: number | null }[] = []
  for (const { at, address, orphan } of host.points) {
    const since = open.get(address)
    if ((orphan ?? 0) > 0 && since === undefined) open.set(address, at)
    if ((orphan ?? 0) > 0 || since === undefined) continue
    times.push({ address, since, until: at })
    open.delete(address)
  }
  return [...times, ...[...open].map(([address, since]) => ({ address, since, until: null }))]
}

const LEFT_BEHIND = 'From the edit of nova.conf on this host. They are removed with the next change window.'

const orphans = async (world: World): Promise<PastFinding[]> => {
  const found: PastFinding[] = []
  for (const host of world.past.hosts) {
    const context = contextOf(world, host.name)
    const times = orphanTimes(host)
    const [first] = times
    if (context === null || first === undefined) continue
    const at = Math.max(...times.map(({ since }) => since)) + MINUTE_MS
    const { cloud } = world
    const fleet = await fleetThen([momentOf(context, at)], { at, cloud })
    const detected = detectCloudFindings(fleet).findings.filter(({ code }) => code === 'orphan-mdevs')
    for (const { address, since, until } of times) {
      const finding = detected.find(({ subject }) => subject.kind === 'pgpu' && subject.address === address)
      if (finding === undefined) continue
      const at = workingMorning(since + 4 * HOUR_MS) + 2 * HOUR_MS
      const acknowledged =
        until === null || at > until ? null : { by: FIRST, at, days: 14, note: LEFT_BEHIND }
      const closedAt = until === null ? null : until + ROUND_MS
      found.push({ finding, openedAt: since + ROUND_MS, closedAt, acknowledged })
    }
  }
  return found
}

/** What the console would have found in a past, in the texts of its detectors; in the order in which it opened. */
export const makePastFindings = async (
  world: World,
  changes: readonly PastChange[],
): Promise<PastFinding[]> =>
  [
    ...silences(world),
    ...stranded(world),
    ...(await untyped(world)),
    ...closings(world, changes),
    ...(await orphans(world)),
  ]
    .filter(({ openedAt }) => openedAt < world.past.end)
    .toSorted((a, b) => a.openedAt - b.openedAt)
