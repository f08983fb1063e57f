import 'server-only'
import * as z from 'zod'
import { DAY_MS } from '@/lib/domain/history/series'
import { type Followed, followServer } from '@/lib/domain/utilization/follow-server'
import {
  type FollowedSpan,
  followSpans,
  hostsSince,
  type PlacedSpan,
} from '@/lib/domain/utilization/idle-series'
import { type IdleVerdict, judgeIdle, type UnmeasuredReason } from '@/lib/domain/utilization/judge-idle'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { type HeldVgpu, loadHeldVgpus } from './held-vgpus'
import { loadPages } from './page-rows'

/** `vgpu` as in `SeriesName`. */
const seriesRow = z.object({
  id: z.int(),
  hostId: z.int(),
  host: z.string(),
  address: z.string(),
  vgpu: z.string(),
  guest: z.string(),
})
type FollowedSeries = z.infer<typeof seriesRow>

// SQL: the arrays of all guests of a cloud in one parameter, groups with their earliest time, and arrays as rows.
const SERIES = `
SELECT s.id, s.host_id AS "hostId", h.name AS host, s.address, s.vgpu, s.guest FROM utilisation_series s
JOIN host h ON h.id = s.host_id
WHERE h.cloud_id = $1 AND s.guest = ANY($2::text[]) AND s.first_at < $3::timestamptz ORDER BY s.last_at DESC, s.id`

const MEASURED = `
SELECT h.name AS host, min(s.first_at) AS since FROM utilisation_series s JOIN host h ON h.id = s.host_id
WHERE h.cloud_id = $1 AND s.first_at < $2::timestamptz GROUP BY h.name`
const measuredRow = z.object({ host: z.string(), since: z.date() })

const TYPES_THEN = `
SELECT DISTINCT c.host_id AS "hostId", c.uuid AS guest, p.address, p.type_id AS "typeId"
FROM guest_change c JOIN held_vgpus v ON v.id = c.held_id
CROSS JOIN LATERAL unnest(v.addresses, v.type_ids) AS p (address, type_id)
WHERE c.uuid = ANY($1::uuid[]) AND c.at < $2::timestamptz`
const typeThenRow = z.object({ hostId: z.int(), guest: z.string(), address: z.string(), typeId: z.string() })

const byGuest = <Row extends { guest: string }>(rows: readonly Row[]): Map<string, Row[]> => {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const own = groups.get(row.guest) ?? []
    groups.set(row.guest, own)
    own.push(row)
  }
  return groups
}

type Position = { hostId: number; guest: string; address: string }
const positionKey = ({ hostId, guest, address }: Position): string => `${hostId} ${guest} ${address}`

/** The vGPU types that servers with several of them held in each place. */
const loadTypesThen = async (
  query: Query,
  { servers, asOf }: { servers: ReadonlyMap<string, readonly HeldVgpu[]>; asOf: Date },
): Promise<Map<string, Set<string>>> => {
  const guests = [...servers].filter(([, held]) => new Set(held.map(({ typeId }) => typeId)).size > 1)
  const types = new Map<string, Set<string>>()
  if (guests.length === 0) return types
  const params = [pgArray(guests.map(([guest]) => guest)), asOf]
  for (const { typeId, ...position } of await query(TYPES_THEN, params, typeThenRow))
    types.set(positionKey(position), (types.get(positionKey(position)) ?? new Set<string>()).add(typeId))
  return types
}

type FollowedVgpu = Followed<FollowedSeries> & { vgpu: HeldVgpu }

/** The held vGPUs with what was measured of them wherever their servers were, and since when (ms) each host is measured. */
const followHeld = async (
  query: Query,
  { cloudId, asOf, held }: { cloudId: number; asOf: Date; held: readonly HeldVgpu[] },
): Promise<{ followed: FollowedVgpu[]; measuredSince: Map<string, number> }> => {
  const servers = byGuest(held)
  const series = byGuest(await query(SERIES, [cloudId, pgArray([...servers.keys()]), asOf], seriesRow))
  const measured = await query(MEASURED, [cloudId, asOf], measuredRow)
  const typesThen = await loadTypesThen(query, { servers, asOf })
  const followed = [...servers].flatMap(([guest, vgpus]) => {
    const found = followServer(
      vgpus.map((vgpu) => ({ ...vgpu, at: vgpu.at.getTime() })),
      { series: series.get(guest) ?? [], typesOf: (one) => typesThen.get(positionKey(one)) ?? null },
    )
    return vgpus.map((vgpu, position) => ({ vgpu, own: null, past: [], ...found[position] }))
  })
  return { followed, measuredSince: new Map(measured.map(({ host, since }) => [host, since.getTime()])) }
}

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
  unmeasured: (MeasuredVgpu & { reason: UnmeasuredReason })[]
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
  isRequested?: (vgpu: HeldVgpu) => boolean
}

type Judged = { one: FollowedVgpu; seen: FollowedSpan[]; verdict: IdleVerdict }

/** How far back an idle vGPU is followed. */
const MAX_DAYS = 800
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
  { cloudId, asOf, days, thresholdPercent, isRequested = () => true }: IdleTerms,
): Promise<IdleVgpus> => {
  const held = (await loadHeldVgpus(query, { cloudId, asOf })).filter(isRequested)
  const { followed, measuredSince } = await followHeld(query, { cloudId, asOf, held })
  const now = asOf.getTime()
  const begins = held.flatMap(({ host }) => measuredSince.get(host) ?? [])
  const first = begins.length === 0 ? null : new Date(begins.reduce((a, b) => Math.min(a, b)))
  const found: IdleVgpus = { idle: [], unmeasured: [], held: held.length, measuredSince: first }
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
  for (let position = 0; position < hostIds.length; position += HOSTS_AT_ONCE) {
    const some = new Set(hostIds.slice(position, position + HOSTS_AT_ONCE))
    const those = followed.filter(({ vgpu }) => some.has(vgpu.hostId))
    // Most were busy lately, which the last days tell; only the others are followed far back.
    const lately = await judge(those, now - (days + 1) * DAY_MS)
    const open = lately.filter(({ verdict }) => verdict.kind !== 'in-use').map(({ one }) => one)
    for (const { one, seen, verdict } of await judge(open, now - MAX_DAYS * DAY_MS)) {
      const { hostId: _hostId, at: _at, ...vgpu } = { ...one.vgpu, vgpu: one.own?.vgpu ?? null }
      if (verdict.kind === 'unknown') found.unmeasured.push({ ...vgpu, reason: verdict.reason })
      if (verdict.kind !== 'idle') continue
      const { kind: _, since, ...figures } = verdict
      const hosts = hostsSince(seen, { since, now: vgpu.host })
      found.idle.push({ ...vgpu, since: new Date(since), hosts, ...figures })
    }
  }
  found.idle.sort((a, b) => a.since.getTime() - b.since.getTime())
  return found
}
