import 'server-only'
import { createLease } from '@/lib/server/background/lease'
import { repeat } from '@/lib/server/background/repeat'
import type { Runtime } from '@/lib/server/context/runtime'
import { listCloudIds } from '@/lib/services/cloud/list-cloud-ids'
import { bringWatchesUp } from '@/lib/services/history/bring-watches-up'
import { cloudHistoryEnd } from '@/lib/services/history/history-end'
import { dropOldHistory, makeMonths, summariseMoments } from '@/lib/services/history/keep-partitions'
import { type RollUpMemory, rollUpCloud } from './roll-up-cloud'

const DAY_MS = 86_400_000
const MAX_TURN_MS = 60_000
const TIDY_EVERY_MS = 3_600_000
const LEASE = { name: 'roll up the history', forMs: 180_000 }

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS)

/** Since when changes and hours are kept. */
const retainedSince = ({ env, now }: Runtime) => ({
  changesSince: daysBefore(now(), env.keepChangesDays),
  hoursSince: new Date(Math.floor(daysBefore(now(), env.keepHoursDays).getTime() / DAY_MS) * DAY_MS),
})

/** Creates partitions ahead and deletes old ones; a partition without its lock is left for the next turn. */
const tidy = async (runtime: Runtime): Promise<boolean> => {
  try {
    await makeMonths(runtime.database, runtime.now())
    await dropOldHistory(runtime.database, retainedSince(runtime))
    await summariseMoments(runtime.database.query)
    return true
  } catch (err) {
    runtime.log.warn({ err }, 'Partitions of the history could not be created or deleted; retrying')
    return false
  }
}

/** Rolls the history up as it goes, on one console at a time, and keeps as much of it as the settings say. */
export const startRollUps = async (runtime: Runtime): Promise<void> => {
  const { database, env, log, now, onStop } = runtime
  const lease = createLease({ database, log, ...LEASE })
  const memory: RollUpMemory = new Map()
  let tidyAt = 0
  // A shorter silence interval makes reports final sooner.
  const restMs = Math.min(MAX_TURN_MS, env.silentAfterSeconds * 1000)

  const turn = async (isStopping: () => boolean): Promise<void> => {
    if (!(await lease.hold())) return
    if (now().getTime() >= tidyAt && (await tidy(runtime))) tidyAt = now().getTime() + TIDY_EVERY_MS
    await bringWatchesUp(database.query)
    for (const id of await listCloudIds(database)) {
      // Later data rebuilds its hours.
      const horizon = new Date(
        await cloudHistoryEnd(database.query, id, { now, silentAfterSeconds: env.silentAfterSeconds }),
      )
      await rollUpCloud(
        database,
        { cloudId: id, horizon, ...retainedSince(runtime) },
        { memory, mayGoOn: async () => !isStopping() && (await lease.hold()) },
      )
    }
  }
  // Before the first report comes, so that its month is there to take it.
  if (await lease.hold()) await tidy(runtime)
  const turns = repeat(async (isStopping) => {
    await turn(isStopping).catch((err: unknown) => log.error({ err }, 'History roll-up failed'))
    return { restMs }
  })
  onStop('stop rolling up the history', async () => {
    await turns.stop()
    await lease.release()
  })
}
