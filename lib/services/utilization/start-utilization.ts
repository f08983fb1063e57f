import 'server-only'
import { DAY_MS, HOUR_MS } from '@/lib/domain/history/series'
import { createLease } from '@/lib/server/background/lease'
import { repeat } from '@/lib/server/background/repeat'
import type { Runtime } from '@/lib/server/context/runtime'
import type { Database } from '@/lib/server/database/database'
import { deleteSlowly, dropPartition, listPartitions, makePartition } from '@/lib/server/database/partitions'
import { listCloudIds } from '@/lib/services/cloud/list-cloud-ids'
import { foldSamples } from './fold-samples'
import { rollUpUsage } from './roll-up-groups'

/** Since when each is kept: samples by minutes, by five minutes, vGPUs by hours; pGPUs and groups by hours. */
type PageTerms = { minutesSince: Date; fivesSince: Date; vgpuHoursSince: Date; hoursSince: Date }

type Table = { name: string; unit: 'day' | 'month'; ahead: number; retainedSince: keyof PageTerms }

const TABLES: readonly Table[] = [
  { name: 'utilisation_minute', unit: 'day', ahead: 2, retainedSince: 'minutesSince' },
  { name: 'utilisation_five', unit: 'day', ahead: 2, retainedSince: 'fivesSince' },
  { name: 'utilisation_vgpu_hour', unit: 'day', ahead: 2, retainedSince: 'vgpuHoursSince' },
  { name: 'utilisation_hour', unit: 'month', ahead: 2, retainedSince: 'hoursSince' },
]

const startOf = ({ unit }: Table, at: Date, ahead: number): Date =>
  unit === 'day'
    ? new Date(Math.floor(at.getTime() / DAY_MS + ahead) * DAY_MS)
    : new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + ahead))

const nameAt = ({ name, unit }: Table, begin: Date): string =>
  `${name}_${begin
    .toISOString()
    .slice(0, unit === 'day' ? 10 : 7)
    .replaceAll('-', '_')}`

/** End of the partition of that name; null: it is the default one. */
const endOf = (table: Table, name: string): Date | null => {
  const [, year, month, day = '1'] = /_(\d{4})_(\d{2})(?:_(\d{2}))?$/.exec(name) ?? []
  if (year === undefined) return null
  return startOf(table, new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))), 1)
}

/** Creates the partitions of pages from now on, some time ahead. */
export const makePagePartitions = async (database: Database, now: Date): Promise<void> => {
  for (const table of TABLES) {
    const names = new Set(await listPartitions(database.query, table.name))
    for (let ahead = 0; ahead <= table.ahead; ahead += 1) {
      const from = startOf(table, now, ahead)
      const name = nameAt(table, from)
      if (names.has(name)) continue
      const until = startOf(table, from, 1)
      await makePartition(database, { table: table.name, column: 'begin', name, from, until })
    }
  }
}

// SQL: partitions are tables that Prisma does not know.
/**
 * Deletes pages that are older than their retention, by whole days or months. The figures of days are kept permanently.
 */
export const dropOldPages = async (database: Database, terms: PageTerms): Promise<void> => {
  const { query } = database
  for (const table of TABLES) {
    const since = terms[table.retainedSince]
    for (const name of await listPartitions(query, table.name)) {
      const end = endOf(table, name)
      if (end !== null && end <= since) await dropPartition(database, { table: table.name, name })
    }
    const rest = { where: 'begin < $1::timestamptz', params: [since] }
    await deleteSlowly(query, { table: `${table.name}_default`, ...rest })
  }
  await deleteSlowly(query, {
    table: 'utilisation_roll_up',
    where: `step = 'hour' AND begin < $1::date`,
    params: [terms.hoursSince.toISOString().slice(0, 10)],
  })
}

const TURN_MS = 60_000
const TIDY_EVERY_MS = HOUR_MS
/** Earlier releases hold the same lease, so it keeps its name. */
const LEASE = { name: 'roll up utilisation', forMs: 180_000 }

const daysBefore = (now: Date, days: number): Date =>
  new Date(Math.floor((now.getTime() - days * DAY_MS) / DAY_MS) * DAY_MS)

const retainedSince = ({ env, now }: Runtime): PageTerms => ({
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
export const startUtilization = async (runtime: Runtime): Promise<void> => {
  const { database, log, now, onStop } = runtime
  const lease = createLease({ database, log, ...LEASE })
  let tidyAt = 0

  const tidy = async (): Promise<void> => {
    try {
      await makePagePartitions(database, now())
      await dropOldPages(database, retainedSince(runtime))
      tidyAt = now().getTime() + TIDY_EVERY_MS
    } catch (err) {
      log.warn({ err }, 'Old utilization could not be deleted; retrying')
    }
  }
  const turn = async (isStopping: () => boolean): Promise<void> => {
    const mayGoOn = async () => !isStopping() && (await lease.hold())
    if (!(await mayGoOn())) return
    if (now().getTime() >= tidyAt) await tidy()
    const terms = { horizon: horizonOf(runtime), minutesSince: retainedSince(runtime).minutesSince }
    while ((await mayGoOn()) && !(await foldSamples(database, terms)));
    for (const id of await listCloudIds(database))
      while ((await mayGoOn()) && !(await rollUpUsage(database, id)));
  }
  const turns = repeat(async (isStopping) => {
    await turn(isStopping).catch((err: unknown) => log.error({ err }, 'Utilization roll-up failed'))
    return { restMs: TURN_MS }
  })
  onStop('stop rolling up utilization', async () => {
    await turns.stop()
    await lease.release()
  })
}
