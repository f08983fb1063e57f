import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import type { CloudConfig } from '@/lib/openstack/clouds/cloud-config'
import { createCloudReader } from '@/lib/openstack/reading/create-cloud-reader'
import { createServiceAccount } from '@/lib/openstack/session/create-service-account'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import { cloudReadingSchema } from '@/lib/schemas/api/cloud-reading'
import { gpuSourcesSchema } from '@/lib/schemas/api/sources'
import { createTestContext } from '@/lib/server/testing/test-database'
import { getFinding } from '@/lib/services/finding/get-finding'
import { listFindings } from '@/lib/services/finding/list-findings'
import { getGpuSources } from '@/lib/services/gpu/get-gpu-sources'
import { listGpus } from '@/lib/services/gpu/list-gpus'
import { createServiceWorld } from '@/lib/services/testing/service-world'
import { storeReport } from '@/lib/services/testing/stored-report'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import { type OpenStackSimulator, startOpenStack } from '@/simulator/openstack/start-openstack'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { openWorld } from '@/simulator/world/open-world'
import { getCloudReading } from './get-cloud-reading'
import { type CloudReading, createCloudReading } from './read-cloud'

const world = createServiceWorld()
const folder = makeTemporaryDirectory('sliceboard-reading-')
const startAt = new Date('2026-11-21T08:00:00Z')
let openstack: OpenStackSimulator
let account: ServiceAccount
let cloud: { id: number; name: string; region: string | null }
let reading: CloudReading
let clock = startAt

const configOf = (authUrl: string): CloudConfig => {
  const { name, password, domain, project } = DEMO_ACCOUNTS.service
  return {
    name: cloud.name,
    region: 'RegionOne',
    authUrl,
    auth: {
      kind: 'password',
      user: { name, domain: { name: domain } },
      password,
      project: { name: project, domain: { name: domain } },
      isSystemScoped: false,
    },
    interface: 'public',
    verify: true,
    caFile: null,
    caPem: null,
    endpointOverrides: {},
    timeoutMs: 10_000,
    requestsPerSecond: 500,
  }
}

const reportAll = async () => {
  for (const { living } of openstack.world.hosts) {
    const inventory = await scanHost({ root: living.root, hostName: living.name })
    await storeReport(world.database(), { cloudId: cloud.id, inventory, seenAt: clock })
  }
}

const ctx = () => createTestContext({ database: world.database(), now: () => clock })
const openFindings = async () =>
  (await listFindings(ctx(), { cloud: cloud.name })).findings.filter(({ state }) => state !== 'closed')

beforeAll(async () => {
  const fleet = demoFleet({ seed: 3, startAt, hostCount: 6 })
  const hosts = openWorld({ fleet, seed: 3, startAt, directory: folder })
  openstack = await startOpenStack({ world: hosts, seed: 3, now: () => clock })
})

afterAll(async () => {
  await openstack.stop()
  rmSync(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  clock = startAt
  cloud = { ...(await world.newCloud()), region: 'RegionOne' }
  account = createServiceAccount(configOf(openstack.authUrl))
  reading = createCloudReading({
    database: world.database(),
    cloud,
    reader: createCloudReader({ account }),
    log: ctx().log,
    now: () => clock,
    silentAfterSeconds: 120,
    staleAfterMs: 300_000,
    agentVersion: '0.1.0',
  })
  await reportAll()
  return () => account.close()
})

test('a round stores what each service said, what it cost, and what was found', async () => {
  const { roundNumber } = await reading.readRound()
  const read = cloudReadingSchema.parse(await getCloudReading(ctx(), { cloud: cloud.name }))
  expect(roundNumber).toBe(1)
  expect(read.services.map(({ service, error }) => [service, error])).toEqual([
    ['keystone', null],
    ['placement', null],
    ['nova', null],
  ])
  expect(read.parts.map(({ error }) => error)).toEqual(read.parts.map(() => null))
  expect(read.parts.find(({ part }) => part === 'providers')?.items).toBeGreaterThan(6)
  for (const { id } of await openFindings()) {
    const { evidence, key } = await getFinding(ctx(), { id })
    expect(evidence.length, key).toBeGreaterThan(0)
  }
})

test('hardware, nova.conf, Placement and libvirt agree on a healthy pGPU, in Nova’s words', async () => {
  await reading.readRound()
  const { hosts, addresses, columns } = await listGpus(ctx(), { cloud: cloud.name })
  const answers = await Promise.all(
    columns.hostIndex.map(async (place, row) => {
      const [host, address] = [hosts[place] ?? '', addresses[columns.addressIndex[row] ?? 0] ?? '']
      return gpuSourcesSchema.parse(await getGpuSources(ctx(), { cloud: cloud.name, host, address }))
    }),
  )
  const sliced = answers.filter(({ sources }) => (sources?.advertised.total.value ?? 0) > 0)
  expect(sliced.length).toBeGreaterThan(3)
  const used = sliced.find(({ sources }) => (sources?.occupants.length ?? 0) > 0)
  expect(used?.sources?.occupants[0]).toMatchObject({ source: 'nova', projectName: expect.any(String) })
})

test('the fleet’s list has what Placement advertises, the aggregates and the service', async () => {
  const before = await listGpus(ctx(), { cloud: cloud.name })
  expect(before.columns.advertised.every((value) => value === null)).toBe(true)
  await reading.readRound()
  await wait(1100)
  const gpus = await listGpus(ctx(), { cloud: cloud.name })
  const row = gpus.columns.hostIndex.findIndex(
    (host, place) =>
      gpus.hosts[host] === 'cmp-r4-01' &&
      gpus.addresses[gpus.columns.addressIndex[place] ?? 0] === '0000:61:00.0',
  )
  expect(gpus.columns.advertised[row]).toBe(12)
  expect(gpus.columns.advertisedUsed[row]).toBe(gpus.columns.used[row])
  expect(gpus.services[gpus.columns.serviceIndex[row] ?? -1]).toBe('up')
  expect(gpus.aggregateSets[gpus.columns.aggregateSetIndex[row] ?? -1]?.length).toBeGreaterThan(0)
  expect(gpus.findings.map(({ code }) => code)).toContain('placement-over-promises')
})

test('a second round in which nothing moved costs little and changes no finding', async () => {
  await reading.readRound()
  const before = await openFindings()
  clock = new Date(clock.getTime() + 60_000)
  await reportAll()
  await reading.readRound()
  const { round } = await getCloudReading(ctx(), { cloud: cloud.name })
  expect(round?.requests).toBeLessThanOrEqual(10)
  expect((await openFindings()).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
})
