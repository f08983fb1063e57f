import 'server-only'
import type { Query } from '@/lib/server/database/database'
import { type Statement, statement } from '@/lib/server/database/statement'
import { pgArray, pgColumns } from './pg-array'

/** What a group stores of one host's reports themselves. */
export type BodyWrites = {
  /** The last whole report, gzip of its JSON; null: the one that is stored stays. */
  full: Uint8Array | null
  /** The version of the whole report that is stored afterwards. */
  fullVersion: number
  /** Edits after it, and the place of each in the row of differences. */
  differences: { place: number; edits: Buffer }[]
}

type HostBodies = { decision: { host: { id: number } }; bodies: BodyWrites }

// One binary parameter for all bodies: as elements of a bytea[] they would travel as hex and be read byte by byte.
const WRITE_BODIES = statement(`
INSERT INTO host_inventory (host_id, body, version)
SELECT r.id, substring($1::bytea FROM r.start FOR r.length), r.version
FROM unnest($2::int[], $3::int[], $4::int[], $5::bigint[]) AS r (id, start, length, version)
ON CONFLICT (host_id) DO UPDATE SET body = excluded.body, version = excluded.version`)

const WRITE_DIFFERENCES = statement(`
INSERT INTO host_difference (host_id, place, edits)
SELECT r.id, r.place, substring($1::bytea FROM r.start FOR r.length)
FROM unnest($2::int[], $3::int[], $4::int[], $5::int[]) AS r (id, start, length, place)
ON CONFLICT (host_id, place) DO UPDATE SET edits = excluded.edits`)

/** Bytes that are stored for a host, and under which number. */
type Part = { id: number; bytes: Uint8Array; number: number }

const write = async (query: Query, sql: Statement, parts: readonly Part[]): Promise<void> => {
  if (parts.length === 0) return
  // As substring() counts.
  const starts: number[] = []
  let start = 1
  for (const { bytes } of parts) {
    starts.push(start)
    start += bytes.byteLength
  }
  const [ids = '', lengths = '', numbers = ''] = pgColumns(parts, [
    ({ id }) => id,
    ({ bytes }) => bytes.byteLength,
    ({ number }) => number,
  ])
  const all = Buffer.concat(parts.map(({ bytes }) => bytes))
  await query(sql, [all, ids, pgArray(starts), lengths, numbers])
}

/** Stores whole reports and differences. What is left over of older differences lies beyond the host's version. */
export const writeBodies = async (query: Query, hosts: readonly HostBodies[]): Promise<void> => {
  const fulls: Part[] = []
  const differences: Part[] = []
  for (const { decision, bodies } of hosts) {
    const { id } = decision.host
    if (bodies.full !== null) fulls.push({ id, bytes: bodies.full, number: bodies.fullVersion })
    for (const { edits, place } of bodies.differences) differences.push({ id, bytes: edits, number: place })
  }
  await write(query, WRITE_BODIES, fulls)
  await write(query, WRITE_DIFFERENCES, differences)
}
