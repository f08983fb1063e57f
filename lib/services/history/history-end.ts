import 'server-only'
import * as z from 'zod'
import type { ServiceContext } from '@/lib/server/context/service-context'

type Terms = Pick<ServiceContext, 'now' | 'silentAfterSeconds'>

// SQL: reads on the read replica.
/** Hosts that report and whose agents have watched until recently: what they watched ends here. */
const WATCHED = `
SELECT min(watched_at) AS "watchedAt" FROM current_host WHERE seen_at >= $2::timestamptz AND watched_at >= $3::timestamptz AND `
const OF_CLOUD = `${WATCHED} cloud_id = $1`
const OF_HOST = `${WATCHED} id = $1`
const watchedRow = z.object({ watchedAt: z.date().nullable() })

/**
 * The moment until which history is complete, in ms. A host that is late but not silent yet holds it back to what its agent has
 * watched, because its numbers are known soon. A host that delivers older reports first does not hold it back.
 */
const readHistoryEnd = async (
  query: ServiceContext['database']['query'],
  sql: string,
  { id, now, silentAfterSeconds }: Terms & { id: number },
): Promise<number> => {
  const limitMs = silentAfterSeconds * 1000
  const usual = now().getTime() - limitMs
  const params = [id, new Date(usual), new Date(usual - limitMs)]
  const [row] = await query(sql, params, watchedRow)
  return Math.min(usual, row?.watchedAt?.getTime() ?? usual)
}

/** Of a whole cloud. */
export const cloudHistoryEnd = (
  query: ServiceContext['database']['query'],
  cloudId: number,
  terms: Terms,
): Promise<number> => readHistoryEnd(query, OF_CLOUD, { ...terms, id: cloudId })

/** Of one host. */
export const hostHistoryEnd = (
  { database, now, silentAfterSeconds }: Terms & Pick<ServiceContext, 'database'>,
  hostId: number,
): Promise<number> => readHistoryEnd(database.history, OF_HOST, { id: hostId, now, silentAfterSeconds })
