import 'server-only'
import { SUPERSEDED_BY } from '@/lib/domain/findings/cloud/codes'
import { compareSeverity } from '@/lib/domain/host-findings/severity'
import type { Overview } from '@/lib/schemas/api/fleet'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { keepByDatabase } from '@/lib/server/database/keep-by-database'
import { parseInput } from '@/lib/server/errors/parse-input'
import { shareNext } from '@/lib/server/sharing/share-next'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { cardCount } from '@/lib/services/fleet/card-table'
import type { Fleet } from '@/lib/services/fleet/fleet-snapshot'
import { type FleetView, readFleetView } from '@/lib/services/fleet/fleet-view'
import { compareTexts } from '@/lib/util/compare-texts'
import { loadTrackedGroups, type TrackedGroup, trackedAttention } from './finding-attention'
import { listAttention, type OwnAttention } from './list-attention'
import { sumFleet } from './sum-fleet'
import { createScale, type Location, type WeighedAttention } from './weigh-attention'

type Attention = Overview['attention'][number]

/**
 * Silence is derived from the hosts' last reports, which are newer than any round; a console without reports has a
 * separate entry.
 */
const SILENCE = { own: ['hosts-silent', 'console-blind'], tracked: 'host-silent' }

/** Without reports no other problem is detected either, so silence comes first. */
const isSilence = ({ code }: Attention): boolean => SILENCE.own.includes(code) || code === SILENCE.tracked

const byUrgency = (a: WeighedAttention, b: WeighedAttention): number =>
  Number(isSilence(b.attention)) - Number(isSilence(a.attention)) ||
  compareSeverity(a.attention.severity, b.attention.severity) ||
  b.weight - a.weight ||
  b.attention.count - a.attention.count ||
  compareTexts(a.attention.code, b.attention.code)

/**
 * Merges the hosts' own findings and those of the rounds into one list, each problem once. Rounds contain the hosts'
 * findings too, with acknowledgements, so an entry of a round replaces the host's entry of the same code. Silence comes
 * first, then the most urgent, then the most affected vGPUs.
 */
const mergeAttention = (
  own: readonly OwnAttention[],
  tracked: readonly TrackedGroup[],
  weigh: (locations: readonly Location[]) => number,
): Attention[] => {
  const codes = new Set(tracked.map(({ code }) => code))
  const reportsSilence = own.some(({ code }) => SILENCE.own.includes(code))
  const left = own.filter(({ code }) => !codes.has(code) && !codes.has(SUPERSEDED_BY.get(code) ?? ''))
  const shown = tracked.filter(({ code, open }) => open > 0 && !(reportsSilence && code === SILENCE.tracked))
  return [
    ...left.map(({ locations, ...attention }) => ({ attention, weight: weigh(locations) })),
    ...shown.map((group) => ({ attention: trackedAttention(group), weight: weigh(group.locations) })),
  ]
    .sort(byUrgency)
    .map(({ attention }) => attention)
}

type Sums = ReturnType<typeof sumFleet>

/** The sums of the last position of each fleet. */
const summed = new WeakMap<Fleet, { asOf: string; sums: Sums }>()

const sumOnce = (view: FleetView): Sums => {
  const { fleet, asOf } = view
  const known = summed.get(fleet)
  if (known?.asOf === asOf) return known.sums
  const sums = sumFleet(view)
  summed.set(fleet, { asOf, sums })
  return sums
}

type Context = Pick<ServiceContext, 'database' | 'now' | 'silentAfterSeconds'>

const lookAt = async (ctx: Context, cloud: Cloud): Promise<Overview> => {
  const [view, tracked] = await Promise.all([
    readFleetView(ctx, cloud),
    loadTrackedGroups(ctx.database.query, { cloudId: cloud.id, now: ctx.now() }),
  ])
  const { fleet, silence, asOf } = view
  return {
    cloud: cloud.name,
    asOf,
    hosts: fleet.hosts.length,
    pgpus: fleet.hosts.reduce((sum, host) => sum + cardCount(host), 0),
    ...sumOnce(view),
    attention: mergeAttention(listAttention({ hosts: fleet.hosts, silence }), tracked, createScale(fleet)),
  }
}

const cachedOverview = keepByDatabase<(ctx: Context) => Promise<Overview>>('overviews')

/** The fleet in one look: totals, by model and type, and what needs attention. Those who ask at once share one answer. */
export const getOverview = async (ctx: ServiceContext, input: CloudScope): Promise<Overview> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const look = () => shareNext((one: Context) => lookAt(one, cloud))
  return cachedOverview({ database: ctx.database, key: `${cloud.id} ${cloud.name}` }, look)(ctx)
}
