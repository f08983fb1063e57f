import 'server-only'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import * as z from 'zod'
import { REPORT_LIMITS } from '@/lib/schemas/agent/report'
import type { Logger } from '@/lib/server/context/log'
import type { Database, Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { bytesColumn } from '@/lib/server/database/row'

const compress = promisify(gzip)
const decompress = promisify(gunzip)

const HOSTS_AT_ONCE = 100

// SQL: row locks and an aggregate of bytes. The differences lead from the stored report to the host's last one; later rows
// belong to an earlier chain.
const LOAD = `
SELECT i.host_id AS "hostId", i.body,
  (SELECT string_agg(d.edits, ','::bytea ORDER BY d.place) FROM host_difference d
   WHERE d.host_id = i.host_id AND d.place < h.applied_reports - i.version) AS differences
FROM host_inventory i JOIN host h ON h.id = i.host_id
WHERE i.host_id = ANY($1::int[]) ORDER BY i.host_id FOR NO KEY UPDATE OF h`

const storedRow = z.object({ hostId: z.int(), body: bytesColumn, differences: bytesColumn.nullable() })

/** [where in the base, how many bytes are removed, what is inserted], in ascending order. */
const differencesSchema = z.array(z.array(z.tuple([z.int().min(0), z.int().min(0), z.string()])))

const KEY = '"inventory":'

const edited = (base: Buffer, edits: z.infer<typeof differencesSchema>[number]): Buffer => {
  const parts: Buffer[] = []
  let end = 0
  for (const [at, removed, inserted] of edits) {
    parts.push(base.subarray(end, at), Buffer.from(inserted))
    end = at + removed
  }
  return Buffer.concat([...parts, base.subarray(end)])
}

/** The last report, of which the inventory is the last member. */
const wholeReport = async (body: Uint8Array, differences: Uint8Array): Promise<Buffer> => {
  const report = await decompress(body, { maxOutputLength: REPORT_LIMITS.uncompressedBytes })
  const start = report.indexOf(KEY) + KEY.length
  const chain = differencesSchema.parse(JSON.parse(`[${Buffer.from(differences).toString()}]`))
  const inventory = chain.reduce<Buffer>(edited, report.subarray(start, -1))
  return compress(Buffer.concat([Buffer.from(`{${KEY}`), inventory, Buffer.from('}')]))
}

type Stored = z.infer<typeof storedRow>

/** Null: nothing follows the stored report, or it does not fit; then the host's next report replaces it. */
const completed = async ({ hostId, body, differences }: Stored, log: Logger): Promise<Buffer | null> => {
  try {
    return differences && (await wholeReport(body, differences))
  } catch (err) {
    log.warn({ err, hostId }, 'The stored differences of a host cannot be applied')
    return null
  }
}

const applyTo = async (query: Query, hostIds: readonly number[], log: Logger): Promise<void> => {
  const ids = pgArray(hostIds)
  for (const stored of await query(LOAD, [ids], storedRow)) {
    const body = await completed(stored, log)
    if (body !== null)
      await query('UPDATE host_inventory SET body = $2 WHERE host_id = $1', [stored.hostId, body])
  }
  await query('DELETE FROM host_difference WHERE host_id = ANY($1::int[])', [ids])
}

const NEXT = `SELECT DISTINCT host_id AS "hostId" FROM host_difference ORDER BY host_id LIMIT ${HOSTS_AT_ONCE}`
const nextRow = z.object({ hostId: z.int() })

/**
 * Makes whole reports of those that the release before stored as a report and differences to it, once, before the console takes
 * reports. To be deleted with the table in the next release.
 */
export const applyStoredDifferences = async ({
  database,
  log,
}: {
  database: Database
  log: Logger
}): Promise<void> => {
  for (;;) {
    const hostIds = (await database.query(NEXT, [], nextRow)).map(({ hostId }) => hostId)
    if (hostIds.length === 0) return
    await database.transaction(({ query }) => applyTo(query, hostIds, log))
  }
}
