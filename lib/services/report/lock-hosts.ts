import 'server-only'
import * as z from 'zod'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { statement } from '@/lib/server/database/statement'
import type { GroupMember } from './group-member'
import type { Rows, StoredRows } from './host-rows'
import type { LockedHost } from './locked-host'
import { GUEST, GUEST_HOLDING, selectPgpus, selectRows } from './write-tables'

// SQL: row locks, and all rows of a group in one statement. In the order of ids, so that two transactions cannot deadlock.
const LOCK_HOSTS = statement(`
SELECT h.id, h.enrolment, h.boot, h.sequence, h.digest, h.watched_since AS "watchedSince", h.watched_at AS "watchedAt"
FROM host h WHERE h.id = ANY($1::int[]) ORDER BY h.id FOR NO KEY UPDATE OF h`)

// A separate statement: revoking a credential holds its host's row until that has committed, and a statement that waits for it
// continues with the snapshot from before.
const VALID_CREDENTIALS = statement(`
SELECT c.host_id AS "hostId", c.id FROM agent_credential c JOIN host h ON h.id = c.host_id AND h.enrolment = c.enrolment
WHERE c.host_id = ANY($1::int[]) AND c.revoked_at IS NULL`)

const hostRow = z.object({
  id: z.number(),
  enrolment: z.number(),
  boot: z.number(),
  sequence: z.number(),
  digest: z.string().nullable(),
  watchedSince: z.date().nullable(),
  watchedAt: z.date().nullable(),
})
const credentialRow = z.object({ hostId: z.number(), id: z.number() })

/** Locks the hosts of a group until the transaction ends. */
export const lockHosts = async (query: Query, members: readonly GroupMember[]): Promise<LockedHost[]> => {
  const ids = pgArray([...new Set(members.map(({ actor }) => actor.hostId))])
  const rows = await query(LOCK_HOSTS, [ids], hostRow)
  const credentials = await query(VALID_CREDENTIALS, [ids], credentialRow)
  const credentialOf = new Map(credentials.map(({ hostId, id }) => [hostId, id]))
  return rows.map(({ id, enrolment, boot, sequence, digest, watchedSince, watchedAt }) => ({
    id,
    enrolment,
    position: { boot, sequence },
    digest,
    watch: { since: watchedSince?.getTime() ?? null, at: watchedAt?.getTime() ?? null },
    credentialId: credentialOf.get(id) ?? null,
  }))
}

const LOAD_ROWS = statement(`
SELECT h.id, ${selectPgpus()} AS pgpus, ${selectRows(GUEST)} AS guests, ${selectRows(GUEST_HOLDING)} AS holdings
FROM unnest($1::int[]) AS h (id)`)

const isRows = (value: unknown): value is (string | null)[][] =>
  Array.isArray(value) &&
  value.every((row) => Array.isArray(row) && row.every((cell) => typeof cell === 'string' || cell === null))

/** Null for no rows. */
const rowsSchema = z
  .string()
  .nullable()
  .transform((text): unknown => JSON.parse(text ?? '[]'))
  .pipe(z.custom<Rows>(isRows))
const storedRow = z.object({
  id: z.number(),
  pgpus: rowsSchema,
  guests: rowsSchema,
  holdings: rowsSchema,
})

const FIRST_NUMBER = 7
const LAST_NUMBER = 13

/** What is stored below the given hosts, which the transaction must hold locked. */
export const loadRows = async (
  query: Query,
  hostIds: readonly number[],
): Promise<Map<number, StoredRows>> => {
  if (hostIds.length === 0) return new Map()
  const stored = await query(LOAD_ROWS, [pgArray(hostIds)], storedRow)
  return new Map(
    stored.map(({ id, pgpus, guests, holdings }) => {
      const points = pgpus.map((cells) => {
        const [address = null, , framework = null] = cells
        return [address, cells.at(-1) ?? null, framework, ...cells.slice(FIRST_NUMBER, LAST_NUMBER)]
      })
      return [id, { pgpus, points, guests, holdings }]
    }),
  )
}
