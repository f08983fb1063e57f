import 'server-only'
import { DAY_MS } from '@/lib/domain/history/series'
import { judgeIdle, type UntoldReason, type UsageSpan } from '@/lib/domain/utilisation/judge-idle'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/services/report/pg-array'
import { loadPages } from './page-rows'

/** A vGPU that a server holds, as the history has it at the asked moment. */
type HeldVgpu = {
  host: string
  address: string
  /** As in `SeriesName`; null: nothing was ever measured of it. */
  vgpu: string | null
  guest: string
  /** The server's name, else libvirt's. */
  server: string
  flavor: string | null
  projectId: string | null
  project: string | null
  /** Who made the server; null: nobody tells, or the server is gone by now. */
  user: string | null
  typeId: string
  /** The type's name, else its id. */
  type: string
}

type IdleVgpu = HeldVgpu & {
  since: Date
  /** Part of the time since then with samples, 0 to 1. */
  seenShare: number
  highestPercent: number
  usedMib: number | null
}

export type IdleVgpus = {
  /** Those that are idle longest first. */
  idle: IdleVgpu[]
  /** Nobody can tell of these, and why. */
  untold: (HeldVgpu & { reason: UntoldReason })[]
  /** How many vGPUs servers held. */
  held: number
  /** When measuring began on the first of their hosts; null: on none. */
  measuredSince: Date | null
}

export type IdleTerms = {
  cloudId: number
  /** What was known until then; days count as whole UTC days, so a past moment is best a midnight. */
  asOf: Date
  /** For at least so many days no sample above `thresholdPercent`. */
  days: number
  thresholdPercent: number
}

/** How far back an idle vGPU is followed. */
const MOST_DAYS = 800
const HOSTS_AT_ONCE = 200

const HOLDERS = `
WITH subject AS (
  SELECT g.host_id, g.uuid::uuid AS uuid FROM guest g JOIN host h ON h.id = g.host_id WHERE h.cloud_id = $1
  UNION SELECT c.host_id, c.uuid FROM guest_change c JOIN host h ON h.id = c.host_id
  WHERE h.cloud_id = $1 AND c.at >= $2::timestamptz
)
SELECT s.host_id AS "hostId", h.name AS host, s.uuid AS guest, last.name AS server, o.flavor_name AS flavor,
  o.project_id AS "projectId", o.project_name AS project, v.addresses, v.type_ids AS "typeIds", g.user_name AS "user"
FROM subject s CROSS JOIN LATERAL (
  SELECT c.name, c.owner_id, c.held_id FROM guest_change c
  WHERE c.host_id = s.host_id AND c.uuid = s.uuid AND c.at < $2::timestamptz
  ORDER BY c.at DESC, c.enrolment DESC, c.boot DESC, c.sequence DESC LIMIT 1) last
JOIN guest_owner o ON o.id = last.owner_id JOIN held_vgpus v ON v.id = last.held_id
JOIN host h ON h.id = s.host_id LEFT JOIN guest g ON g.host_id = s.host_id AND g.uuid = s.uuid::text
WHERE cardinality(v.addresses) > 0 ORDER BY h.name COLLATE "C", s.uuid`

const SERIES = `
SELECT id, host_id AS "hostId", address, vgpu, guest, first_at AS "firstAt" FROM utilisation_series
WHERE host_id = ANY($1::int[]) AND first_at < $2::timestamptz ORDER BY last_at DESC, id`

const TYPES = `SELECT key, label FROM roll_up_label WHERE cloud_id = $1 AND dimension = 'type'`

type Holder = Omit<HeldVgpu, 'address' | 'vgpu' | 'typeId' | 'type'> & {
  hostId: number
  addresses: string[]
  typeIds: string[]
}
type Series = { id: number; hostId: number; address: string; vgpu: string; guest: string; firstAt: Date }
type Held = HeldVgpu & { hostId: number; seriesId: number | null }

/** One for each vGPU of each holder, with the series of its measurements; whole cards have no type and are left out. */
const heldVgpus = (
  holders: readonly Holder[],
  { series, types }: { series: readonly Series[]; types: ReadonlyMap<string, string> },
): Held[] => {
  const bySubject = new Map<string, Series[]>()
  for (const one of series) {
    const subject = `${one.hostId} ${one.guest} ${one.address}`
    bySubject.set(subject, [...(bySubject.get(subject) ?? []), one])
  }
  return holders.flatMap(({ addresses, typeIds, ...holder }) =>
    addresses.flatMap((address, place) => {
      const typeId = typeIds[place] ?? ''
      if (typeId === '') return []
      const own = bySubject.get(`${holder.hostId} ${holder.guest} ${address}`)?.shift()
      const type = types.get(typeId) ?? typeId
      return [{ ...holder, address, typeId, type, vgpu: own?.vgpu ?? null, seriesId: own?.id ?? null }]
    }),
  )
}

/** Since when hosts are measured, in ms, by their ids. */
const measuredSinceByHost = (series: readonly Series[]): Map<number, number> => {
  const byHost = new Map<number, number>()
  for (const { hostId, firstAt } of series)
    byHost.set(hostId, Math.min(firstAt.getTime(), byHost.get(hostId) ?? Number.POSITIVE_INFINITY))
  return byHost
}

/** The days of the wanted series, by their numbers. */
const loadSpans = async (
  query: Query,
  {
    hostIds,
    ids,
    from,
    until,
  }: { hostIds: readonly number[]; ids: Set<number>; from: number; until: number },
): Promise<Map<number, UsageSpan[]>> => {
  const spans = new Map<number, UsageSpan[]>()
  const pages = await loadPages(query, { step: 'day', hostIds, kinds: ['vgpu'], from, until })
  for (const { begin, series } of pages)
    for (const { id, slots } of series) {
      if (!ids.has(id)) continue
      const held = spans.get(id) ?? []
      spans.set(id, held)
      for (const [day, slot] of slots.entries())
        held.push({ begin: begin + day * DAY_MS, until: begin + (day + 1) * DAY_MS, slot })
    }
  return spans
}

/**
 * vGPUs that servers held at a moment and that no sample showed above the threshold for at least so many days before it, with who
 * owns them. One of which nothing or too little was measured is told apart, never as idle.
 */
export const findIdleVgpus = async (
  query: Query,
  { cloudId, asOf, days, thresholdPercent }: IdleTerms,
): Promise<IdleVgpus> => {
  const holders = await query<Holder>(HOLDERS, [cloudId, asOf])
  const hostIds = [...new Set(holders.map(({ hostId }) => hostId))]
  const series = await query<Series>(SERIES, [pgArray(hostIds), asOf])
  const types = new Map(
    (await query<{ key: string; label: string }>(TYPES, [cloudId])).map(({ key, label }) => [key, label]),
  )
  const held = heldVgpus(holders, { series, types })
  const ids = new Set(held.flatMap(({ seriesId }) => seriesId ?? []))
  const now = asOf.getTime()
  const sinceByHost = measuredSinceByHost(series)
  const first = sinceByHost.size === 0 ? null : new Date(Math.min(...sinceByHost.values()))
  const found: IdleVgpus = { idle: [], untold: [], held: held.length, measuredSince: first }
  for (let place = 0; place < hostIds.length; place += HOSTS_AT_ONCE) {
    const some = new Set(hostIds.slice(place, place + HOSTS_AT_ONCE))
    const range = { from: now - MOST_DAYS * DAY_MS, until: now }
    const spans = await loadSpans(query, { hostIds: [...some], ids, ...range })
    for (const { hostId, seriesId, ...vgpu } of held.filter((one) => some.has(one.hostId))) {
      const own = seriesId === null ? [] : (spans.get(seriesId) ?? [])
      const measuredSince = sinceByHost.get(hostId) ?? now
      const verdict = judgeIdle(own, { now, days, thresholdPercent, measuredSince })
      if (verdict.kind === 'unknown') found.untold.push({ ...vgpu, reason: verdict.reason })
      if (verdict.kind !== 'idle') continue
      const { kind: _, since, ...rest } = verdict
      found.idle.push({ ...vgpu, since: new Date(since), ...rest })
    }
  }
  found.idle.sort((a, b) => a.since.getTime() - b.since.getTime())
  return found
}
