import 'server-only'
import { DAY_MS } from '@/lib/domain/history/series'
import type { Database } from '@/lib/server/database/database'
import { deleteSlowly, dropPartition, listPartitions, makePartition } from '@/lib/server/database/partitions'

/** Since when each is kept: samples by minutes, by five minutes, vGPUs by hours; pGPUs and groups by hours. */
export type PageTerms = { minutesSince: Date; fivesSince: Date; vgpuHoursSince: Date; hoursSince: Date }

type Table = { name: string; unit: 'day' | 'month'; ahead: number; keptSince: keyof PageTerms }

const TABLES: readonly Table[] = [
  { name: 'utilisation_minute', unit: 'day', ahead: 2, keptSince: 'minutesSince' },
  { name: 'utilisation_five', unit: 'day', ahead: 2, keptSince: 'fivesSince' },
  { name: 'utilisation_vgpu_hour', unit: 'day', ahead: 2, keptSince: 'vgpuHoursSince' },
  { name: 'utilisation_hour', unit: 'month', ahead: 2, keptSince: 'hoursSince' },
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
    const since = terms[table.keptSince]
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
