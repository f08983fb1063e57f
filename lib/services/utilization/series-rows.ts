import 'server-only'
import * as z from 'zod'
import { type SeriesName, seriesKey } from '@/lib/domain/utilization/sample'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'

const seriesRow = z.object({
  id: z.int(),
  address: z.string(),
  vgpu: z.string().nullable(),
  guest: z.string().nullable(),
  firstAt: z.date(),
  lastAt: z.date(),
}) satisfies z.ZodType<SeriesName>
export type SeriesRow = z.infer<typeof seriesRow>

// SQL: a bulk upsert that returns the numbers of all series.
const COLUMNS = `id, address, nullif(vgpu, '') AS vgpu, nullif(guest, '') AS guest, first_at AS "firstAt", last_at AS "lastAt"`

const SEEN = `
INSERT INTO utilisation_series (host_id, address, vgpu, guest, first_at, last_at)
SELECT $1, s.address, s.vgpu, s.guest, $5::timestamptz, $6::timestamptz
FROM unnest($2::text[], $3::text[], $4::text[]) AS s (address, vgpu, guest)
ON CONFLICT (host_id, address, vgpu, guest) DO UPDATE
SET first_at = least(utilisation_series.first_at, excluded.first_at),
  last_at = greatest(utilisation_series.last_at, excluded.last_at)
RETURNING ${COLUMNS}`

const OF_HOST = `SELECT ${COLUMNS} FROM utilisation_series WHERE host_id = $1 ORDER BY address, vgpu, id`

/** The numbers of a host's series, which were seen from `from` to `until`; new ones get one. By `seriesKey`. */
export const numberSeries = async (
  query: Query,
  {
    hostId,
    names,
    from,
    until,
  }: { hostId: number; names: readonly SeriesName[]; from: number; until: number },
): Promise<Map<string, number>> => {
  if (names.length === 0) return new Map()
  const rows = await query(
    SEEN,
    [
      hostId,
      pgArray(names.map(({ address }) => address)),
      pgArray(names.map(({ vgpu }) => vgpu ?? '')),
      pgArray(names.map(({ guest }) => guest ?? '')),
      new Date(from),
      new Date(until),
    ],
    seriesRow,
  )
  return new Map(rows.map((row) => [seriesKey(row), row.id]))
}

/** All series that a host has pages of. */
export const listSeries = (query: Query, hostId: number): Promise<SeriesRow[]> =>
  query(OF_HOST, [hostId], seriesRow)
