import type { Database, Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { ensureFirstCloud } from '@/lib/server/process/ensure-clouds'
import { anyRow } from '@/lib/server/testing/any-row'
import { storeLimitChanges } from '@/lib/services/cloud-reading/store-limit-changes'
import { storeRefused } from '@/lib/services/cloud-reading/store-round'
import type { Past, PastRefusal } from '@/simulator/past/types'
import { bringWatchesUp } from '../bring-watches-up'
import { makeMonths } from '../keep-partitions'
import { rollUpAtOnce } from './roll-up-at-once'
import { writeHosts } from './write-host-pasts'
import { writePresent } from './write-present'

const HOSTS = `
INSERT INTO host (cloud_id, name, enrolment, boot, sequence, watched_since, watched_at, created_at, changed_xid)
SELECT $1, r.name, 1, r.boot, r.sequence, r.since, $6::timestamptz, r.created_at, pg_current_xact_id()::text::bigint
FROM unnest($2::text[], $3::int[], $4::int[], $5::timestamptz[], $7::timestamptz[]) AS r (name, boot, sequence, since, created_at)
RETURNING id, name`

const iso = (at: number): string => new Date(at).toISOString()
const insertHosts = async (
  query: Query,
  cloudId: number,
  { hosts, end }: Pick<Past, 'hosts' | 'end'>,
): Promise<Map<string, number>> => {
  const rows = await query(
    HOSTS,
    [
      cloudId,
      pgArray(hosts.map(({ name }) => name)),
      pgArray(hosts.map(({ watches }) => watches.length)),
      pgArray(hosts.map(({ points, holdings }) => points.length + holdings.length + 1)),
      pgArray(hosts.map(({ watches, points }) => iso(watches.at(-1)?.since ?? points[0]?.at ?? end))),
      iso(end),
      pgArray(hosts.map(({ watches }) => iso(watches[0]?.since ?? end))),
    ],
    anyRow<{ id: number; name: string }>(),
  )
  return new Map(rows.map(({ id, name }) => [name, id]))
}

/** As the reading round finds it in Nova: without a host, with the words of the fault. */
const unplacedServer = ({ at, uuid, projectId, flavorName, message }: PastRefusal) => ({
  uuid,
  name: `server-${uuid.slice(0, 8)}`,
  projectId,
  userId: null,
  status: 'ERROR',
  taskState: null,
  host: null,
  hypervisorHostname: null,
  instanceName: null,
  flavorName,
  vcpus: null,
  memoryMib: null,
  diskGib: null,
  extraSpecs: { 'resources:VGPU': '1' },
  fault: message,
  createdAt: iso(at),
})

export const writeRefusals = (query: Query, cloudId: number, { refusals, end }: Past): Promise<void> => {
  const names = new Map(refusals.map(({ projectId, projectName }) => [projectId, projectName]))
  const value = [...names].map(([id, name]) => ({ id, name, domainId: 'default', isEnabled: true }))
  const projects = { value, at: iso(end), error: null, failingSince: null }
  return storeRefused(query, {
    cloudId,
    round: { unplaced: refusals.map(unplacedServer), facts: { projects } },
  })
}

const SERVICE = 'nova'

const writeLimits = async (
  query: Query,
  cloudId: number,
  { limits, begin }: Past,
  region: string,
): Promise<void> => {
  const stands = new Map<string, number>()
  const common = { serviceId: SERVICE, regionId: region, resourceName: 'class:VGPU' }
  for (const at of new Set([begin, ...limits.map((limit) => limit.at)])) {
    for (const limit of limits) if (limit.at === at) stands.set(limit.projectId, limit.value)
    const project = [...stands].map(([projectId, resourceLimit]) => ({
      ...common,
      id: `${projectId} vgpu`,
      projectId,
      domainId: null,
      resourceLimit,
    }))
    const registered = [{ ...common, id: 'vgpu', defaultLimit: 0 }]
    const facts = { model: 'flat', registered, project, novaServiceId: SERVICE, novaRegionId: region }
    await storeLimitChanges(query, { cloudId, limits: facts, at: new Date(at) })
  }
}

/** The partitions of all months from `begin` on, in one transaction. */
export const makeAllMonths = (
  database: Database,
  { begin, end }: Pick<Past, 'begin' | 'end'>,
): Promise<void> =>
  database.transaction(async ({ query, prisma }) => {
    for (let at = begin; at < end + 31 * 86_400_000; at += 28 * 86_400_000)
      await makeMonths({ query, transaction: (work) => work({ query, prisma }) }, new Date(at))
  })

export type WrittenPast = { cloudId: number; hostIds: ReadonlyMap<string, number> }

/**
 * Writes a past into an empty database as ingest and reading rounds would have left it, with its roll-ups. The hosts have
 * no report in it: their agents' first reports continue from their last state.
 */
export const writePast = async (
  database: Database,
  past: Past,
  cloud: { name: string; region: string },
): Promise<WrittenPast> => {
  await makeAllMonths(database, past)
  await ensureFirstCloud({ database, ...cloud, now: new Date(past.begin) })
  return database.transaction(async ({ query }) => {
    const [found] = await query(
      'SELECT id FROM cloud WHERE name = $1',
      [cloud.name],
      anyRow<{ id: number }>(),
    )
    if (found === undefined) throw new Error(`the cloud ${cloud.name} was not made`)
    const hostIds = await insertHosts(query, found.id, past)
    const hosts = past.hosts.map((host) => ({ id: hostIds.get(host.name) ?? 0, host }))
    await writeHosts(query, hosts)
    await writePresent(query, hosts)
    await bringWatchesUp(query)
    await writeRefusals(query, found.id, past)
    await writeLimits(query, found.id, past, cloud.region)
    await rollUpAtOnce(query, { cloudId: found.id, until: past.end, hosts })
    return { cloudId: found.id, hostIds }
  })
}
