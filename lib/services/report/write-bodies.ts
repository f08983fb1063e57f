import 'server-only'
import type { Query } from '@/lib/server/database/database'
import { statement } from '@/lib/server/database/statement'
import { pgArray } from './pg-array'

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

/** The bytes one after the other, and where each begins, from 1. */
const concatenate = (parts: readonly Uint8Array[]): { bytes: Buffer; starts: string; lengths: string } => {
  let end = 1
  const starts = parts.map((part) => {
    const start = end
    end += part.byteLength
    return start
  })
  return {
    bytes: Buffer.concat(parts),
    starts: pgArray(starts),
    lengths: pgArray(parts.map((part) => part.byteLength)),
  }
}

/** Stores whole reports and differences. What is left over of older differences lies beyond the host's version. */
export const writeBodies = async (query: Query, hosts: readonly HostBodies[]): Promise<void> => {
  const fulls = hosts.flatMap(({ decision, bodies: { full, fullVersion } }) =>
    full === null ? [] : [{ id: decision.host.id, full, fullVersion }],
  )
  if (fulls.length > 0) {
    const { bytes, starts, lengths } = concatenate(fulls.map(({ full }) => full))
    const versions = pgArray(fulls.map(({ fullVersion }) => fullVersion))
    await query(WRITE_BODIES, [bytes, pgArray(fulls.map(({ id }) => id)), starts, lengths, versions])
  }
  const differences = hosts.flatMap(({ decision, bodies }) =>
    bodies.differences.map((difference) => ({ id: decision.host.id, ...difference })),
  )
  if (differences.length > 0) {
    const { bytes, starts, lengths } = concatenate(differences.map(({ edits }) => edits))
    const places = pgArray(differences.map(({ place }) => place))
    await query(WRITE_DIFFERENCES, [bytes, pgArray(differences.map(({ id }) => id)), starts, lengths, places])
  }
}
