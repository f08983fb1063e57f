import 'server-only'
import * as z from 'zod'
import type { HistoryEvent, Watch } from '@/lib/domain/history/events'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { loadPgpuEvents } from './load-pgpu-events'

const cloudRow = z.object({
  hostId: z.int(),
  address: z.string(),
  at: z.number(),
  stranded: z.int().nullable(),
  because: z.string().nullable(),
  serviceState: z.string().nullable(),
  aggregates: z.array(z.string()).nullable(),
})
const guestRow = z.object({
  hostId: z.int(),
  uuid: z.string(),
  at: z.number(),
  flavorName: z.string().nullable(),
  projectId: z.string().nullable(),
  projectName: z.string().nullable(),
  count: z.int(),
})

// SQL: the last row of each subject is found with a lateral join, in partitioned tables of years of history.
/** One kind of history: its table, the key of its subjects, the current subjects, and its order. */
type Source = {
  table: string
  key: string
  present: string
  columns: string
  joins: string
  order: readonly string[]
}

const POSITION = ['c.enrolment', 'c.boot', 'c.sequence']
/** In ms since the epoch: thousands of rows need no dates between. */
const AT = "(date_part('epoch', c.at) * 1000)::float8 AS at"
const PGPU: Source = {
  table: 'pgpu_change',
  key: 'address_id',
  present: 'SELECT s.host_id, a.id AS address_id FROM pgpu s JOIN history_address a ON a.address = s.address',
  columns: 'c.host_id, c.address_id, c.at, c.point_id, c.enrolment, c.boot, c.sequence',
  joins: '',
  order: ['c.at', ...POSITION],
}
const CLOUD: Source = {
  table: 'pgpu_cloud_change',
  key: 'address',
  present: 'SELECT s.host_id, s.address FROM pgpu_cloud s',
  columns: `c.host_id AS "hostId", c.address, ${AT}, c.stranded, c.stranded_because AS because,
    c.service_state AS "serviceState", c.aggregates`,
  joins: '',
  order: ['c.at'],
}
const GUEST: Source = {
  table: 'guest_change',
  key: 'uuid',
  present: 'SELECT s.host_id, s.uuid::uuid AS uuid FROM guest s',
  columns: `c.host_id AS "hostId", c.uuid, ${AT}, o.flavor_name AS "flavorName", o.project_id AS "projectId",
    o.project_name AS "projectName", cardinality(v.addresses) AS count`,
  joins: 'JOIN guest_owner o ON o.id = c.owner_id JOIN held_vgpus v ON v.id = c.held_id',
  order: ['c.at', ...POSITION],
}

/**
 * The last row of each subject before $2. A subject that existed then exists now or has a later row, so the search does
 * not need years of history.
 */
const stateBefore = ({ table, key, present, columns, joins, order }: Source): string => `
WITH subject AS (
  ${present} WHERE s.host_id = ANY($1::int[])
  UNION SELECT host_id, ${key} FROM ${table} WHERE host_id = ANY($1::int[]) AND at >= $2::timestamptz
)
SELECT last.* FROM subject s CROSS JOIN LATERAL (
  SELECT ${columns} FROM ${table} c ${joins}
  WHERE c.host_id = s.host_id AND c.${key} = s.${key} AND c.at < $2::timestamptz
  ORDER BY ${order.map((name) => `${name} DESC`).join(', ')} LIMIT 1) last`

const changesWithin = ({ table, columns, joins, order }: Source): string => `
SELECT ${columns} FROM ${table} c ${joins}
WHERE c.host_id = ANY($1::int[]) AND c.at >= $2::timestamptz AND c.at < $3::timestamptz ORDER BY ${order.join(', ')}`

const WATCHES = `
SELECT w.host_id AS "hostId", w.since, w.until FROM host_watch w
WHERE w.host_id = ANY($1::int[]) AND w.since < $3::timestamptz AND w.until > $2::timestamptz
UNION ALL
SELECT h.id, h.watched_since, h.watched_at FROM host h
WHERE h.id = ANY($1::int[]) AND h.watched_since < $3::timestamptz AND h.watched_at > $2::timestamptz`
const watchRow = z.object({ hostId: z.int(), since: z.date(), until: z.date() })

const cloudEvent = ({
  hostId,
  address,
  at,
  serviceState,
  ...word
}: z.infer<typeof cloudRow>): HistoryEvent => ({
  kind: 'cloud',
  hostId,
  address,
  at,
  point: serviceState === null ? null : word,
})

const guestEvent = ({ hostId, uuid, at, ...holding }: z.infer<typeof guestRow>): HistoryEvent => ({
  kind: 'guest',
  hostId,
  uuid,
  at,
  point: holding.count === 0 ? null : holding,
})

const load = async (
  query: Query,
  sqlOf: (source: Source) => string,
  { params, subjects }: { params: readonly unknown[]; subjects: HistorySubjects },
): Promise<HistoryEvent[]> => {
  const words = await query(sqlOf(CLOUD), params, cloudRow)
  const cards = await loadPgpuEvents(query, sqlOf(PGPU), params)
  const guests = subjects === 'pgpus' ? [] : await query(sqlOf(GUEST), params, guestRow)
  return [...words.map(cloudEvent), ...cards, ...guests.map(guestEvent)]
}

/** The subjects: pGPUs with their cloud data, or also guests, which have most of the rows. */
type HistorySubjects = 'pgpus' | 'pgpus and guests'
type Hosts = { hostIds: readonly number[]; subjects: HistorySubjects }

/** The state of the hosts before `at`: one event for each subject that existed. */
export const loadStateBefore = async (
  query: Query,
  { hostIds, subjects, at }: Hosts & { at: Date },
): Promise<HistoryEvent[]> =>
  (await load(query, stateBefore, { params: [pgArray(hostIds), at], subjects })).filter(
    (event) => event.kind === 'watch' || event.point !== null,
  )

/** What changed from `from` on and before `until`; of one pGPU or guest in its order. */
export const loadChanges = (
  query: Query,
  { hostIds, subjects, from, until }: Hosts & { from: Date; until: Date },
): Promise<HistoryEvent[]> =>
  load(query, changesWithin, { params: [pgArray(hostIds), from, until], subjects })

/** The changes of a host's pGPUs at or after `from` and before `until`, in the order of the host's reports. */
export const loadChangesInOrder = (
  query: Query,
  { hostId, from, until }: { hostId: number; from: Date; until: Date },
): Promise<HistoryEvent[]> => loadPgpuEvents(query, changesWithin(PGPU), [pgArray([hostId]), from, until])

/** The stretches in which the hosts were watched that reach into the time from `from` to `until`. */
export const loadWatches = async (
  query: Query,
  { hostIds, from, until }: { hostIds: readonly number[]; from: Date; until: Date },
): Promise<Watch[]> => {
  const params = [pgArray(hostIds), from, until]
  const rows = await query(WATCHES, params, watchRow)
  return rows.map((row) => ({ hostId: row.hostId, since: row.since.getTime(), until: row.until.getTime() }))
}
