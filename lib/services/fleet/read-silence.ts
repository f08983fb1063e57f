import * as z from 'zod'
import { detectBlindness, type FleetSilence } from '@/lib/domain/fleet/blindness'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { keepByDatabase } from '@/lib/server/database/keep-by-database'
import { shareNext } from '@/lib/server/sharing/share-next'
import { silentBefore } from './silence'

type SilentHost = { id: number; name: string; seenAt: Date | null }

/** The reporting and silent hosts. `silent` includes those that never reported (`seenAt` null), by name. */
export type Silence = {
  hostCount: number
  newestSeenAt: Date | null
  silent: SilentHost[]
  blindness: FleetSilence
}

// SQL: aggregates with FILTER in one statement.
const READ_SILENCE = `
SELECT count(*)::int AS "hostCount", max(seen_at) AS "newestSeenAt",
  coalesce(json_agg(json_build_array(id, name, (extract(epoch FROM seen_at) * 1000)::bigint) ORDER BY name)
    FILTER (WHERE seen_at IS NULL OR seen_at < $2), '[]')::text AS silent
FROM current_host WHERE cloud_id = $1`

const silentSchema = z.array(z.tuple([z.int(), z.string(), z.number().nullable()]))

const silenceRow = z.object({ hostCount: z.int(), newestSeenAt: z.date().nullable(), silent: z.string() })

type Context = Pick<ServiceContext, 'database' | 'now' | 'silentAfterSeconds'>

const readUncached = async (ctx: Context, cloud: { id: number }): Promise<Silence> => {
  const [row] = await ctx.database.query(READ_SILENCE, [cloud.id, silentBefore(ctx)], silenceRow)
  if (row === undefined) throw new Error('an aggregate without GROUP BY gave no row')
  const silent = silentSchema.parse(JSON.parse(row.silent))
  const silentWordsMs = silent.map(([, , seenMs]) => seenMs).filter((seenMs) => seenMs !== null)
  return {
    hostCount: row.hostCount,
    newestSeenAt: row.newestSeenAt,
    silent: silent.map(([id, name, seenMs]) => ({
      id,
      name,
      seenAt: seenMs === null ? null : new Date(seenMs),
    })),
    blindness: detectBlindness({
      speakingCount: row.hostCount - silent.length,
      silentWordsMs,
      nowMs: ctx.now().getTime(),
      silentAfterMs: ctx.silentAfterSeconds * 1000,
    }),
  }
}

const cachedSilence = keepByDatabase<(requested: Context) => Promise<Silence>>('silence')

/** For services that have checked the caller's permission. Those who ask at once share one answer. */
export const readSilence = (ctx: Context, { id }: { id: number }): Promise<Silence> => {
  const question = () => shareNext((one: Context) => readUncached(one, { id }))
  return cachedSilence({ database: ctx.database, key: String(id) }, question)(ctx)
}
