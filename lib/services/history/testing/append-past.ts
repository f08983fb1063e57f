import type { Database, Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { anyRow } from '@/lib/server/testing/any-row'
import { type RollUpMemory, rollUpCloud } from '@/lib/services/roll-up/roll-up-cloud'
import { rollUpUsage } from '@/lib/services/utilization/roll-up-groups'
import { writeUsageHours } from '@/lib/services/utilization/write-usage-hours'
import { HOUR_MS } from '@/simulator/past/demand'
import { measurePast, usageDays } from '@/simulator/past/past-usage'
import type { HostPast, Past } from '@/simulator/past/types'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { bringWatchesUp } from '../bring-watches-up'
import { type WrittenHost, writeHosts } from './write-host-pasts'
import { makeAllMonths, writeRefusals } from './write-past'

const DAY_MS = 24 * HOUR_MS
/** The settings' defaults: what is older goes when the console tidies up. */
const KEEP_DAYS = { changes: 800, hours: 400 }

const HOSTS = `
SELECT h.id, h.name, h.boot, h.sequence, h.cloud_id AS "cloudId" FROM host h JOIN cloud c ON c.id = h.cloud_id
WHERE c.name = $1`
const SET_WATCHED = `
UPDATE host SET watched_at = $3::timestamptz, sequence = host.sequence + r.more
FROM unnest($1::int[], $2::int[]) AS r (id, more) WHERE host.id = r.id`

type HostRow = { id: number; name: string; boot: number; sequence: number; cloudId: number }
type Joined = Required<WrittenHost> & { cloudId: number }

const joinHosts = (rows: readonly HostRow[], { hosts }: Past): Joined[] =>
  rows.flatMap(({ id, name, boot, sequence, cloudId }) => {
    const host = hosts.find((one) => one.name === name)
    return host === undefined ? [] : [{ id, host, cloudId, after: { boot, sequence } }]
  })

const writeRows = async (query: Query, joined: readonly Joined[], past: Past): Promise<void> => {
  await writeHosts(query, joined)
  await query(SET_WATCHED, [
    pgArray(joined.map(({ id }) => id)),
    pgArray(joined.map(({ host }) => host.points.length + host.holdings.length + 1)),
    new Date(past.end).toISOString(),
  ])
  await bringWatchesUp(query, { lagMs: 0 })
  const [first] = joined
  if (first !== undefined) await writeRefusals(query, first.cloudId, past)
}

/** Who holds something at the end held it at the begin, too; the hour of the begin was watched as a whole. */
const withOpening = (host: HostPast, { begin, end }: { begin: number; end: number }): HostPast => ({
  ...host,
  holdings: [...host.held.map((guest) => ({ ...guest, at: begin })), ...host.holdings],
  watches: [{ since: begin, until: end }],
})

const writeMeasured = async (
  query: Query,
  joined: readonly Joined[],
  { past, fleet }: { past: Past; fleet: readonly FleetHost[] },
): Promise<void> => {
  const span = { begin: Math.floor(past.begin / HOUR_MS) * HOUR_MS, end: past.end }
  const days = usageDays(span)
  for (const { id: hostId, host } of joined) {
    const spec = fleet.find((one) => one.spec.name === host.name)?.spec
    if (spec === undefined) continue
    for (const { day, series } of measurePast(spec, { past: withOpening(host, span), days, vgpusSince: 0 })) {
      const fromHour = Math.max(0, (span.begin - day) / HOUR_MS)
      await writeUsageHours(query, { hostId, day, series, fromHour })
    }
  }
}

/**
 * Continues a past that a database begins with (`continuePast`), all or nothing, and rolls it up as the console does:
 * capacity up to its end, utilization up to the hour in which it ends.
 */
export const appendPast = async (
  database: Database,
  { past, fleet, cloud }: { past: Past; fleet: readonly FleetHost[]; cloud: string },
): Promise<void> => {
  await makeAllMonths(database, past)
  const joined = await database.transaction(async ({ query }) => {
    const hosts = joinHosts(await query(HOSTS, [cloud], anyRow<HostRow>()), past)
    await writeRows(query, hosts, past)
    await writeMeasured(query, hosts, { past, fleet })
    return hosts
  })
  const since = (days: number): Date => new Date(Math.floor(past.end / DAY_MS - days) * DAY_MS)
  const retention = { changesSince: since(KEEP_DAYS.changes), hoursSince: since(KEEP_DAYS.hours) }
  for (const cloudId of new Set(joined.map((host) => host.cloudId))) {
    const memory: RollUpMemory = new Map()
    await rollUpCloud(database, { cloudId, horizon: new Date(past.end), ...retention }, { memory })
    while (!(await rollUpUsage(database, cloudId)));
  }
}
