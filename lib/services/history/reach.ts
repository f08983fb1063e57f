import 'server-only'
import type { ServiceContext } from '@/lib/server/service-context'

type Terms = Pick<ServiceContext, 'now' | 'silentAfterSeconds'>

/** Hosts that report, with the end of what their agents have watched. */
const WATCHED = `
SELECT min(watched_at) AS "watchedAt" FROM host WHERE seen_at >= $2::timestamptz AND watched_at IS NOT NULL AND `
const OF_CLOUD = `${WATCHED} cloud_id = $1`
const OF_HOST = `${WATCHED} id = $1`

type Row = { watchedAt: Date | null }

/**
 * The moment until which history is complete, in ms. A host that is late but not silent yet holds it back to what its agent has
 * watched, because its numbers are known soon. A host that delivers old reports holds it back by twice the limit at most.
 */
const reachOf = ([row]: readonly Row[], { now, silentAfterSeconds }: Terms): number => {
  const limitMs = silentAfterSeconds * 1000
  const usual = now().getTime() - limitMs
  const watched = row?.watchedAt?.getTime() ?? usual
  return Math.min(usual, Math.max(watched, usual - limitMs))
}

const silentBeforeOf = ({ now, silentAfterSeconds }: Terms): Date =>
  new Date(now().getTime() - silentAfterSeconds * 1000)

type Query = ServiceContext['database']['query']

/** Of a whole cloud. */
export const cloudReach = async (query: Query, cloudId: number, terms: Terms): Promise<number> =>
  reachOf(await query<Row>(OF_CLOUD, [cloudId, silentBeforeOf(terms)]), terms)

/** Of one host. */
export const hostReach = async (
  ctx: Terms & Pick<ServiceContext, 'database'>,
  hostId: number,
): Promise<number> => reachOf(await ctx.database.history<Row>(OF_HOST, [hostId, silentBeforeOf(ctx)]), ctx)
