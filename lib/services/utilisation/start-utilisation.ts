import 'server-only'
import { DAY_MS, HOUR_MS } from '@/lib/domain/history/series'
import { createLease } from '@/lib/server/background/lease'
import { repeat } from '@/lib/server/background/repeat'
import type { Runtime } from '@/lib/server/context/runtime'
import { listCloudIds } from '@/lib/services/cloud/list-cloud-ids'
import { foldSamples } from './fold-samples'
import { dropOldPages, makePagePartitions, type PageTerms } from './keep-pages'
import { rollUpUsage } from './roll-up-groups'

const TURN_MS = 60_000
const TIDY_EVERY_MS = HOUR_MS
const LEASE = { name: 'roll up utilisation', forMs: 180_000 }

const daysBefore = (now: Date, days: number): Date =>
  new Date(Math.floor((now.getTime() - days * DAY_MS) / DAY_MS) * DAY_MS)

const keptSince = ({ env, now }: Runtime): PageTerms => ({
  minutesSince: daysBefore(now(), env.keepMinutesDays),
  fivesSince: daysBefore(now(), env.keepFiveMinutesDays),
  vgpuHoursSince: daysBefore(now(), env.keepVgpuHoursDays),
  hoursSince: daysBefore(now(), env.keepHoursDays),
})

/** The begin of the current hour, once agents had the time to send their samples of the one before. */
const horizonOf = ({ env, now }: Runtime): Date => {
  const sent = now().getTime() - env.samplesEverySeconds * 1000 - TURN_MS
  return new Date(Math.floor(sent / HOUR_MS) * HOUR_MS)
}

/** Takes samples into pages and makes the figures of groups, on one console at a time, and keeps what the settings say. */
export const startUtilisation = async (runtime: Runtime): Promise<void> => {
  const { database, log, now, onStop } = runtime
  const lease = createLease({ database, log, ...LEASE })
  let tidyAt = 0

  const tidy = async (): Promise<void> => {
    try {
      await makePagePartitions(database, now())
      await dropOldPages(database, keptSince(runtime))
      tidyAt = now().getTime() + TIDY_EVERY_MS
    } catch (err) {
      log.warn({ err }, 'Old utilization could not be deleted; retrying')
    }
  }
  const turn = async (isStopping: () => boolean): Promise<void> => {
    const mayGoOn = async () => !isStopping() && (await lease.hold())
    if (!(await mayGoOn())) return
    if (now().getTime() >= tidyAt) await tidy()
    const terms = { horizon: horizonOf(runtime), minutesSince: keptSince(runtime).minutesSince }
    while ((await mayGoOn()) && !(await foldSamples(database, terms)));
    for (const id of await listCloudIds(database))
      while ((await mayGoOn()) && !(await rollUpUsage(database, id)));
  }
  const turns = repeat(async (isStopping) => {
    await turn(isStopping).catch((err: unknown) => log.error({ err }, 'Utilization roll-up failed'))
    return { restMs: TURN_MS }
  })
  onStop('stop rolling up utilisation', async () => {
    await turns.stop()
    await lease.release()
  })
}
