import { expect, test, vi } from 'vitest'
import { verifyAudit } from '@/lib/server/audit/verify-audit'
import { anyRow } from '@/lib/server/testing/any-row'
import { listAgents } from '@/lib/services/agent/list-agents'
import { getCapacitySeries } from '@/lib/services/capacity/get-capacity-series'
import { listFindings } from '@/lib/services/finding/list-findings'
import { listFlavors } from '@/lib/services/flavor/list-flavors'
import { offerFlavors } from '@/lib/services/flavor/offer-flavors'
import { fleetOfCloud } from '@/lib/services/fleet/fleet-of-cloud'
import { getFreshness } from '@/lib/services/fleet/get-freshness'
import { listGpuHeadroom } from '@/lib/services/gpu-headroom/list-gpu-headroom'
import { getMetrics } from '@/lib/services/metrics/get-metrics'
import { getMigration } from '@/lib/services/migration/get-migration'
import { getOverview } from '@/lib/services/overview/get-overview'
import { listQuotas } from '@/lib/services/quota/list-quotas'
import { rollUpCloud } from '@/lib/services/roll-up/roll-up-cloud'
import { searchFleet } from '@/lib/services/search/search-fleet'
import { createReadWorld } from '@/lib/services/testing/read-world'
import { READER, TENANT } from '@/lib/services/testing/service-world'
import { createWebhook } from '@/lib/services/webhook/create-webhook'
import { getHost } from './get-host'
import { listHosts } from './list-hosts'
import { listRemovalSuggestions } from './list-removal-suggestions'
import { listRemovedHosts } from './list-removed-hosts'
import { removeHosts } from './remove-hosts'
import { restoreHost } from './restore-host'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const GONE = 'cmp-r6-01'
const world = createReadWorld({ hosts: ['cmp-r5-05', GONE, 'cmp-r7-05'] })
const HOUR_MS = 3_600_000

const scope = () => ({ cloud: world.cloudName() })
const remove = (
  changed: Partial<Parameters<typeof removeHosts>[1]> = {},
  actor?: Parameters<typeof world.at>[0],
) => removeHosts(world.at(actor), { ...scope(), hosts: [GONE], reason: 'scrapped', ...changed })

/** What pages, scripts and Prometheus read of the current fleet: those that name the host. */
const whereItIs = async (): Promise<string[]> => {
  const ctx = world.at()
  const metrics = (await getMetrics(ctx, {})).split('\n')
  const readings = {
    hosts: await listHosts(ctx, scope()),
    gpus: (await fleetOfCloud(ctx, await idOf())).hosts.map(({ name }) => name),
    overview: await getOverview(ctx, scope()),
    freshness: await getFreshness(ctx, scope()),
    'gpu-headroom': await listGpuHeadroom(ctx, scope()),
    migration: await getMigration(ctx, { ...scope(), type: null }),
    agents: await listAgents(ctx, scope()),
    quotas: await listQuotas(ctx, scope()),
    // Nova's aggregates keep the host until its service is deleted there.
    offers: { ...(await offerFlavors(ctx, scope())), aggregates: null },
    flavors: await listFlavors(ctx, scope()),
    search: await searchFleet(ctx, { ...scope(), text: GONE }),
    suggestions: await listRemovalSuggestions(ctx, scope()),
    metrics: metrics.filter((line) => line.includes(`cloud="${world.cloudName()}"`)),
  }
  return Object.entries(readings).flatMap(([name, read]) => (JSON.stringify(read).includes(GONE) ? name : []))
}

const idOf = async () => {
  const [cloud] = await world
    .database()
    .query(
      'SELECT id, name FROM cloud WHERE name = $1',
      [world.cloudName()],
      anyRow<{ id: number; name: string }>(),
    )
  if (cloud === undefined) throw new Error('the cloud was made')
  return cloud
}

const audits = () =>
  world.database().prisma.auditEntry.findMany({
    where: { cloud: world.cloudName(), action: { startsWith: 'host.' } },
    orderBy: { id: 'asc' },
  })

const capacityOf = async (host: string): Promise<number> =>
  (await listHosts(world.at(), scope())).hosts.find(({ name }) => name === host)?.capacity ?? 0

const totalCapacity = async (): Promise<number> =>
  (await listHosts(world.at(), scope())).hosts.reduce((sum, { capacity }) => sum + (capacity ?? 0), 0)

const silence = () => world.pass(10 * 60_000)

test('a removed host is in no list, total, metric or alert, and its credential is revoked', async () => {
  await world.reading().readRound()
  const shown = new Set(await whereItIs())
  silence()
  await world.reading().readRound()
  for (const name of await whereItIs()) shown.add(name)
  const all = [
    'agents',
    'freshness',
    'gpu-headroom',
    'gpus',
    'hosts',
    'metrics',
    'migration',
    'offers',
    'overview',
    'search',
  ]
  expect([...shown].toSorted()).toEqual(all)
  const before = { total: await totalCapacity(), own: await capacityOf(GONE) }
  expect((await listFindings(world.at(), { ...scope(), host: GONE })).findings.length).toBeGreaterThan(0)

  const removed = await remove()
  expect(removed.hosts).toMatchObject([
    { name: GONE, removedBy: 'user:local-admin', reason: 'scrapped', mergedInto: null, restoreRefusal: null },
  ])
  expect(await whereItIs()).toEqual([])
  expect(before.own).toBeGreaterThan(0)
  expect(await totalCapacity()).toBe(before.total - before.own)
  expect(await openFindings()).toEqual([])
  await expect(getHost(world.at(), { ...scope(), host: GONE })).rejects.toMatchObject({ code: 'not_found' })
  const credentials = await world.database().prisma.agentCredential.findMany({
    where: { host: { name: GONE, cloud: { name: world.cloudName() } } },
  })
  expect(credentials.map(({ revokedAt }) => revokedAt !== null)).toEqual([true])

  // The next round, and one of another console, find it nowhere, although Nova still knows it.
  await world.reading().readRound()
  await world.newReading().readRound()
  expect(await whereItIs()).toEqual([])
  expect(await openFindings()).toEqual([])

  // What remains to be reported is that its agent asks to return.
  await askToReturn()
  await world.reading().readRound()
  expect(await openFindings()).toEqual(['enrollment-waiting'])
})

test('webhooks receive that its findings are resolved', async () => {
  silence()
  await world.reading().readRound()
  await createWebhook(world.at(), {
    body: {
      ...{ cloud: world.cloudName(), name: 'chat', form: 'json', address: 'https://hooks.example.org/a' },
      ...{ findingSeverity: 'info', wantsExhaustion: false, wantsChanges: false, wantsFreeFlavors: false },
    },
  })
  expect(await openFindings()).not.toEqual([])
  await remove()
  const deliveries = await world
    .database()
    .query('SELECT event::text FROM webhook_delivery ORDER BY id', [], anyRow<{ event: string }>())
  expect(deliveries.map(({ event }) => JSON.parse(event))).toMatchObject([
    {
      event: 'findings.changed',
      findings: expect.arrayContaining([
        expect.objectContaining({ change: 'closed', subject: expect.objectContaining({ host: GONE }) }),
      ]),
    },
  ])
})

const openFindings = async () =>
  (await listFindings(world.at(), { ...scope(), host: GONE })).findings
    .filter(({ state }) => state !== 'closed')
    .map(({ code }) => code)

const askToReturn = async () => {
  const [{ id: cloudId }, now] = [await idOf(), world.at().now()]
  const token = { hash: `of ${cloudId}`, label: 'rack 6', maxUses: 1, createdBy: 'user:anna', expiresAt: now }
  await world.database().prisma.pendingEnrollment.create({
    data: {
      ...{ hostName: GONE, reason: 'removed-host', requesterHash: 'r', address: '192.0.2.7' },
      ...{ agentVersion: '0.1.0', firstAt: now, lastAt: now },
      cloud: { connect: { id: cloudId } },
      joinToken: { create: { ...token, cloudId } },
    },
  })
}

test('the removal is in the audit once, with what it ended; a second one changes nothing', async () => {
  await world.reading().readRound()
  silence()
  await world.reading().readRound()
  const [first, second] = await Promise.all([remove(), remove({ reason: 'double click' })])
  expect(second).toEqual(first)
  expect(await remove({ reason: 'later' })).toEqual(first)
  const entries = await audits()
  expect(entries).toHaveLength(1)
  expect(entries[0]).toMatchObject({
    actor: 'user:local-admin',
    action: 'host.remove',
    subject: `host:${GONE}`,
    after: { isForced: false, revokedCredentialIds: [expect.any(Number)], withdrawnCommands: 0 },
  })
  expect((await verifyAudit(world.database().query)).broken).toBe(null)
})

test('who is no admin removes nothing, nor does one of another cloud or who names no host', async () => {
  for (const actor of [READER, TENANT])
    await expect(remove({ force: true }, actor)).rejects.toMatchObject({ code: 'forbidden' })
  const { name: cloud } = await world.newCloud()
  await expect(remove({ cloud, force: true })).rejects.toMatchObject({ code: 'not_found', field: 'hosts' })
  await expect(remove({ hosts: [GONE, 'cmp-nowhere'], force: true })).rejects.toThrow('named cmp-nowhere')
  await expect(remove({ reason: '  ' })).rejects.toMatchObject({ code: 'validation', field: 'reason' })
  expect(await audits()).toEqual([])
  expect(await capacityOf(GONE)).toBeGreaterThan(0)
})

test('a host that reports is removed by force alone', async () => {
  await world.reading().readRound()
  await expect(remove()).rejects.toMatchObject({ code: 'precondition', field: 'force' })
  await expect(remove()).rejects.toThrow(`${GONE} still reports. Stop the agent first`)
  await remove({ force: true })
  expect(await whereItIs()).toEqual([])
  expect((await audits())[0]).toMatchObject({ after: { isForced: true } })
})

test('a host with an active change stays until the change has ended', async () => {
  silence()
  const cloud = await idOf()
  const by = { madeBy: 'user:anna', madeAt: world.at().now(), lastAction: 'start', lastBy: 'user:anna' }
  const change = await world.database().prisma.change.create({
    data: {
      ...{ cloudId: cloud.id, kind: 'traits', title: 'Traits of 1 pGPU', input: {}, preview: {} },
      ...{ ...by, state: 'running', lastAt: world.at().now() },
      claims: { create: { cloudId: cloud.id, host: GONE, address: '0000:18:00.0' } },
    },
  })
  await expect(remove()).rejects.toThrow(`Change ${change.id} ("Traits of 1 pGPU") is active on ${GONE}`)
  expect(await audits()).toEqual([])
  await world.database().prisma.changeClaim.deleteMany({ where: { changeId: change.id } })
  await remove()
})

const watch = () =>
  world.database().query(
    `UPDATE host SET watched_since = '2026-11-21T08:00Z', watched_at = $2 WHERE removed_at IS NULL
       AND cloud_id = (SELECT id FROM cloud WHERE name = $1)`,
    [world.cloudName(), world.at().now()],
  )

/** The capacity of the whole fleet by hours, as charts have it. */
const hours = async () => {
  const { id: cloudId } = await idOf()
  const horizon = world.at().now()
  const since = new Date(horizon.getTime() - 30 * 86_400_000)
  await rollUpCloud(world.database(), { cloudId, horizon, hoursSince: since, changesSince: since })
  const until = horizon.toISOString()
  const range = { ...scope(), from: '2026-11-21T08:00:00Z', until }
  return (await getCapacitySeries(world.at(), range)).series[0]
}

test('its history stays up to the removal, and later hours do not have it', async () => {
  await world.reading().readRound()
  const [total, own] = [await totalCapacity(), await capacityOf(GONE)]
  world.pass(3 * HOUR_MS)
  await watch()
  const before = await hours()
  await remove({ force: true })
  world.pass(3 * HOUR_MS)
  await watch()
  const after = await hours()
  expect(own).toBeGreaterThan(0)
  expect(before?.capacity).toEqual([total, total, total])
  const rest = total - own
  expect(after?.capacity).toEqual([total, total, total, rest, rest, rest])
  expect(after?.used.slice(0, 3)).toEqual(before?.used)
  expect(after?.unseen).toEqual([0, 0, 0, 0, 0, 0])
})

test('a host that was removed by mistake comes back as it was last seen', async () => {
  await world.reading().readRound()
  silence()
  const before = await readHosts()
  await remove()
  const [removed] = (await listRemovedHosts(world.at(READER), scope())).hosts
  const id = removed?.id ?? 0
  await expect(restoreHost(world.at(READER), { id, reason: 'r' })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await expect(restoreHost(world.at(), { id: 999_999, reason: 'r' })).rejects.toMatchObject({
    code: 'not_found',
  })
  await restoreHost(world.at(), { id, reason: 'wrong host' })
  await restoreHost(world.at(), { id, reason: 'double click' })
  expect(await readHosts()).toEqual(before)
  expect((await audits()).map(({ action }) => action)).toEqual(['host.remove', 'host.restore'])
  expect((await listRemovedHosts(world.at(), scope())).hosts).toEqual([])
})

const readHosts = async () => (await listHosts(world.at(), scope())).hosts
