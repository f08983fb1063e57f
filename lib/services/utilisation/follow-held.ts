import 'server-only'
import * as z from 'zod'
import { type Followed, followServer } from '@/lib/domain/utilisation/follow-server'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import type { HeldVgpu } from './held-vgpus'

/** `vgpu` as in `SeriesName`. */
const seriesRow = z.object({
  id: z.int(),
  hostId: z.int(),
  host: z.string(),
  address: z.string(),
  vgpu: z.string(),
  guest: z.string(),
})
export type FollowedSeries = z.infer<typeof seriesRow>

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

type Place = { hostId: number; guest: string; address: string }
const placeKey = ({ hostId, guest, address }: Place): string => `${hostId} ${guest} ${address}`

/** The vGPU types that servers with several of them held in each place. */
const loadTypesThen = async (
  query: Query,
  { servers, asOf }: { servers: ReadonlyMap<string, readonly HeldVgpu[]>; asOf: Date },
): Promise<Map<string, Set<string>>> => {
  const guests = [...servers].filter(([, held]) => new Set(held.map(({ typeId }) => typeId)).size > 1)
  const types = new Map<string, Set<string>>()
  if (guests.length === 0) return types
  const params = [pgArray(guests.map(([guest]) => guest)), asOf]
  for (const { typeId, ...place } of await query(TYPES_THEN, params, typeThenRow))
    types.set(placeKey(place), (types.get(placeKey(place)) ?? new Set<string>()).add(typeId))
  return types
}

export type FollowedVgpu = Followed<FollowedSeries> & { vgpu: HeldVgpu }

/** The held vGPUs with what was measured of them wherever their servers were, and since when (ms) each host is measured. */
export const followHeld = async (
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
      { series: series.get(guest) ?? [], typesOf: (one) => typesThen.get(placeKey(one)) ?? null },
    )
    return vgpus.map((vgpu, place) => ({ vgpu, own: null, past: [], ...found[place] }))
  })
  return { followed, measuredSince: new Map(measured.map(({ host, since }) => [host, since.getTime()])) }
}
