import type { Database } from '@/lib/server/database/database'
import { dropOldHistory } from '@/lib/services/history/keep-partitions'
import { writePast } from '@/lib/services/history/testing/write-past'
import { DEMO_HOSTS } from '@/scripts/demo-run/demo-options'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { makePast } from '@/simulator/past/make-past'
import type { Past } from '@/simulator/past/types'

export const CLOUD = { name: 'bench', region: 'RegionOne' }
const DAY_MS = 86_400_000
/** The settings' defaults. */
const KEEP_CHANGES_DAYS = 800
const KEEP_HOURS_DAYS = 400

/** The demo's fleet with its past, again and again until there are so many hosts, each time of another seed. */
export const makeBigPast = ({ hosts, days, end }: { hosts: number; days: number; end: Date }): Past => {
  const copies = Array.from({ length: Math.ceil(hosts / DEMO_HOSTS) }, (_, copy) => {
    const hostCount = Math.min(DEMO_HOSTS, hosts - copy * DEMO_HOSTS)
    const fleet = demoFleet({ seed: copy + 1, startAt: end, hostCount })
    const past = makePast({ fleet, seed: copy + 1, end, days })
    return { ...past, hosts: past.hosts.map((host) => ({ ...host, name: `${host.name}-${copy}` })) }
  })
  const [first] = copies
  if (first === undefined) throw new Error('there are no hosts')
  return {
    ...first,
    hosts: copies.flatMap((copy) => copy.hosts),
    refusals: copies.flatMap((copy) => copy.refusals),
  }
}

/** Writes it, and drops what the default settings would not have kept. */
export const storeBigPast = async (database: Database, past: Past): Promise<number> => {
  const { cloudId } = await writePast(database, past, CLOUD)
  const since = (days: number): Date => new Date(Math.floor(past.end / DAY_MS - days) * DAY_MS)
  await dropOldHistory(database, {
    changesSince: since(KEEP_CHANGES_DAYS),
    hoursSince: since(KEEP_HOURS_DAYS),
  })
  await database.query('VACUUM FULL')
  await database.query('ANALYZE')
  return cloudId
}

export const pgpuCountOf = ({ hosts }: Past): number =>
  hosts.reduce((sum, { points }) => sum + new Set(points.map(({ address }) => address)).size, 0)
