import 'server-only'
import { DAY_MS } from '@/lib/domain/history/series'
import {
  type FollowedSpan,
  followSpans,
  hostsSince,
  type PlacedSpan,
} from '@/lib/domain/utilisation/idle-series'
import { type IdleVerdict, judgeIdle, type UntoldReason } from '@/lib/domain/utilisation/judge-idle'
import type { Query } from '@/lib/server/database/database'
import { type FollowedSeries, type FollowedVgpu, followHeld } from './follow-held'
import { type HeldVgpu, loadHeldVgpus } from './held-vgpus'
import { loadPages } from './page-rows'

/** `vgpu` as in `SeriesName`; null: it was never measured. */
type MeasuredVgpu = Omit<HeldVgpu, 'hostId' | 'at'> & { vgpu: string | null }

type IdleVgpu = MeasuredVgpu & {
  /** Followed over moves of its server. */
  since: Date
  /** Where it was seen since then, in order; the last one holds it now. */
  hosts: string[]
  /** Part of the time since then with samples, 0 to 1. */
  seenShare: number
  highestPercent: number
  usedMib: number | null
}

export type IdleVgpus = {
  /** Those that are idle longest first. */
  idle: IdleVgpu[]
  /** Those that cannot be judged, with the reason. */
  untold: (MeasuredVgpu & { reason: UntoldReason })[]
  /** How many vGPUs servers held. */
  held: number
  /** When measuring began on the first of their hosts; null: on none. */
  measuredSince: Date | null
}

export type IdleTerms = {
  cloudId: number
  /** What was known until then; days count as whole UTC days, so a past moment is best a midnight. */
  asOf: Date
  /** No sample above `thresholdPercent` for at least this number of days. */
  days: number
  thresholdPercent: number
  /** Absent: all that servers hold. */
  isAsked?: (vgpu: HeldVgpu) => boolean
}

type Judged = { one: FollowedVgpu; seen: FollowedSpan[]; verdict: IdleVerdict }

/** How far back an idle vGPU is followed. */
const MOST_DAYS = 800
const HOSTS_AT_ONCE = 200

const seriesOf = ({ own, past }: FollowedVgpu): FollowedSeries[] => (own === null ? past : [own, ...past])

/** The days of all places of the wanted series, by their numbers. */
const loadSpans = async (
  query: Query,
  { series, from, until }: { series: ReadonlyMap<number, FollowedSeries>; from: number; until: number },
): Promise<Map<number, PlacedSpan[]>> => {
  const spans = new Map<number, PlacedSpan[]>()
  const hostIds = [...new Set([...series.values()].map(({ hostId }) => hostId))]
  const pages = await loadPages(query, { step: 'day', hostIds, kinds: ['vgpu'], wanted: series, from, until })
  for (const { begin, series: stored } of pages)
    for (const { id, slots } of stored) {
      const host = series.get(id)?.host
      if (host === undefined) continue
      const held = spans.get(id) ?? []
      spans.set(id, held)
      for (const [day, slot] of slots.entries()) {
        const at = begin + day * DAY_MS
        if (slot !== null && at < until) held.push({ begin: at, until: at + DAY_MS, slot, host })
      }
    }
  return spans
}

/**
 * vGPUs that servers used at a moment and that no sample showed above the threshold for at least this many days before
 * it, with their owners. A server is followed over its moves. A vGPU with too little data is listed separately, never as
 * idle.
 */
export const findIdleVgpus = async (
  query: Query,
  { cloudId, asOf, days, thresholdPercent, isAsked = () => true }: IdleTerms,
): Promise<IdleVgpus> => {
  const held = (await loadHeldVgpus(query, { cloudId, asOf })).filter(isAsked)
  const { followed, measuredSince } = await followHeld(query, { cloudId, asOf, held })
  const now = asOf.getTime()
  const begins = held.flatMap(({ host }) => measuredSince.get(host) ?? [])
  const first = begins.length === 0 ? null : new Date(begins.reduce((a, b) => Math.min(a, b)))
  const found: IdleVgpus = { idle: [], untold: [], held: held.length, measuredSince: first }
  const hostIds = [...new Set(held.map(({ hostId }) => hostId))]
  const judge = async (those: readonly FollowedVgpu[], from: number): Promise<Judged[]> => {
    const series = new Map(those.flatMap(seriesOf).map((one) => [one.id, one]))
    const spans = await loadSpans(query, { series, from, until: now })
    return those.map((one) => {
      const seen = followSpans(seriesOf(one).flatMap(({ id }) => spans.get(id) ?? []))
      const sinces = (seen[0]?.hosts ?? []).flatMap((host) => measuredSince.get(host) ?? [])
      const terms = { now, days, thresholdPercent, measuredSince: Math.min(now, ...sinces) }
      return { one, seen, verdict: judgeIdle(seen, terms) }
    })
  }
  for (let place = 0; place < hostIds.length; place += HOSTS_AT_ONCE) {
    const some = new Set(hostIds.slice(place, place + HOSTS_AT_ONCE))
    const those = followed.filter(({ vgpu }) => some.has(vgpu.hostId))
    // Most were busy lately, which the last days tell; only the others are followed far back.
    const lately = await judge(those, now - (days + 1) * DAY_MS)
    const open = lately.filter(({ verdict }) => verdict.kind !== 'in-use').map(({ one }) => one)
    for (const { one, seen, verdict } of await judge(open, now - MOST_DAYS * DAY_MS)) {
      const { hostId: _hostId, at: _at, ...vgpu } = { ...one.vgpu, vgpu: one.own?.vgpu ?? null }
      if (verdict.kind === 'unknown') found.untold.push({ ...vgpu, reason: verdict.reason })
      if (verdict.kind !== 'idle') continue
      const { kind: _, since, ...figures } = verdict
      const hosts = hostsSince(seen, { since, now: vgpu.host })
      found.idle.push({ ...vgpu, since: new Date(since), hosts, ...figures })
    }
  }
  found.idle.sort((a, b) => a.since.getTime() - b.since.getTime())
  return found
}
