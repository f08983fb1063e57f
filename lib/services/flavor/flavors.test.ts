import { rmSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import type { CloudConfig } from '@/lib/openstack/clouds/cloud-config'
import { createCloudReader } from '@/lib/openstack/reading/create-cloud-reader'
import { createServiceAccount } from '@/lib/openstack/session/create-service-account'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import { flavorFitSchema, flavorListSchema, typeFitSchema } from '@/lib/schemas/api/flavor'
import type { FlavorScope } from '@/lib/schemas/api/scope'
import type { Actor } from '@/lib/server/service-context'
import { createTestContext } from '@/lib/server/testing/test-database'
import { type CloudReading, createCloudReading } from '@/lib/services/cloud-reading/read-cloud'
import { createServiceWorld, READER, TENANT } from '@/lib/services/testing/service-world'
import { storeReport } from '@/lib/services/testing/stored-report'
import { explainType } from '@/lib/services/vgpu-type/explain-type'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import { putConsumer } from '@/simulator/openstack/placement/change-allocations'
import { capacityOf, type Provider, usedOf } from '@/simulator/openstack/placement/placement-state'
import { type OpenStackSimulator, startOpenStack } from '@/simulator/openstack/start-openstack'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { openWorld } from '@/simulator/world/open-world'
import { explainFlavor } from './explain-flavor'
import { listFlavors } from './list-flavors'

const world = createServiceWorld()
const folder = makeTemporaryDirectory('sliceboard-flavors-')
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

const report = async (isReporting: (host: string) => boolean = () => true) => {
  for (const { living } of openstack.world.hosts) {
    if (!isReporting(living.name)) continue
    const inventory = await scanHost({ root: living.root, hostName: living.name })
    await storeReport(world.database(), { cloudId: cloud.id, inventory, seenAt: clock })
  }
}

const ctx = (actor?: Actor) =>
  createTestContext({
    database: world.database(),
    now: () => clock,
    accounts: [account],
    ...(actor === undefined ? {} : { actor }),
  })

/** Everything has spoken. */
const read = async () => {
  await report()
  await reading.readRound()
}

const idOf = (name: string): string =>
  openstack.cloud.nova.flavors.find((flavor) => flavor.name === name)?.id ?? name
const list = async () => flavorListSchema.parse(await listFlavors(ctx(READER), { cloud: cloud.name }))
const explain = async (name: string, rest: Partial<FlavorScope> = {}) =>
  flavorFitSchema.parse(await explainFlavor(ctx(READER), { cloud: cloud.name, flavor: idOf(name), ...rest }))

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
  openstack.controls.heal()
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
  return () => account.close()
})

const hostOf = (answer: Awaited<ReturnType<typeof explain>>, name: string) =>
  answer.fit.hosts.find(({ host }) => host === name)
const rootUuid = (host: string): string =>
  openstack.cloud.nova.computes.find((compute) => compute.host === host)?.uuid ?? ''

/** Somebody else takes all that is left of a class on some providers. */
const takeAll = (isMeant: (provider: Provider) => boolean, name: string) => {
  const { placement } = openstack.cloud
  const left = [...placement.providers.values()].filter(isMeant).flatMap((provider) => {
    const inventory = provider.inventories.get(name)
    const free =
      inventory === undefined ? 0 : capacityOf(inventory) - (usedOf(placement, provider.uuid).get(name) ?? 0)
    return free > 0 ? [[provider.uuid, new Map([[name, free]])] as const] : []
  })
  putConsumer(placement, {
    uuid: openstack.cloud.newUuid(),
    generation: 1,
    projectId: 'p',
    userId: 'u',
    type: 'INSTANCE',
    allocations: new Map(left),
  })
}

describe('a flavor', () => {
  test('fits: with each pGPU, its query to the letter, and what Placement says to it now', async () => {
    await read()
    const answer = await explain('vgpu.t4-4q')
    expect(answer).toMatchObject({
      asks: '1 vGPU of T4-4Q, 4 vCPUs, 16 GiB',
      types: [{ typeId: 'nvidia-232', name: 'T4-4Q' }],
      fit: {
        query:
          'GET /allocation_candidates?resources=DISK_GB:40,MEMORY_MB:16384,VCPU:4,VGPU:1&required=CUSTOM_GRID_T4_4Q&limit=10000',
        placement: { state: 'answered', candidates: 3, isCut: false },
        gap: null,
        fits: 6,
        byPlacement: 6,
        fittingHosts: 1,
        unknownHosts: 0,
      },
    })
    expect(answer.fit.hosts[0]).toMatchObject({
      host: 'cmp-r2-08',
      state: 'fits',
      isOffered: true,
      reasons: [],
    })
    expect(answer.fit.hosts[0]?.pgpus.map(({ fits }) => fits.value)).toEqual([1, 1, 4, 0])
    expect(answer.fit.hosts.slice(1).map(({ isOffered }) => isOffered)).not.toContain(true)
  })

  test('fits one by one but not so many at once (bug 1874664)', async () => {
    await read()
    const answers = await Promise.all([4, 5, 6, 7].map((count) => explain('vgpu.t4-4q', { count })))
    expect(answers.map(({ fit }) => fit.answer?.answer)).toEqual(['yes', 'one-by-one', 'one-by-one', 'no'])
  })

  test('is full', async () => {
    await read()
    const { fit } = await explain('vgpu.t4-16c')
    expect([fit.fits, fit.placement.candidates]).toEqual([0, 0])
    expect(fit.hosts[0]).toMatchObject({ host: 'cmp-r2-07', state: 'blocked', reasons: [{ kind: 'full' }] })
  })

  test('asks for a trait that no pGPU has, and the finding says the same', async () => {
    await read()
    await reading.readRound()
    const { fit, findings } = await explain('vgpu.t4-8q')
    expect(fit.fits).toBe(0)
    expect(fit.hosts.find(({ host }) => host === 'cmp-r2-08')?.reasons[0]).toEqual({
      kind: 'trait',
      because: 'it has no trait CUSTOM_GRID_T4_8Q',
    })
    expect(findings.map(({ code }) => code)).toContain('flavor-trait-unknown')
  })

  test('is refused by Placement: nothing lands, in its own words', async () => {
    openstack.controls.addFlavor({ kind: 'no-policy' })
    await read()
    const { fit } = await explain('spoilt.no-policy')
    expect(fit.placement.state).toBe('refused')
    expect(fit.placement.because).toContain('group_policy')
    expect([fit.fits, ...new Set(fit.hosts.map(({ reasons }) => reasons[0]?.kind))]).toEqual([0, 'refused'])
  })

  test.each([
    ['MEMORY_MB', 'memory'],
    ['VCPU', 'cpu'],
    ['DISK_GB', 'disk'],
  ])('finds no %s left beside free vGPUs', async (name, kind) => {
    takeAll(({ uuid }) => uuid === rootUuid('cmp-r2-08'), name)
    await read()
    const host = hostOf(await explain('vgpu.t4-4q'), 'cmp-r2-08')
    expect(host).toMatchObject({ state: 'blocked', isOffered: false, standing: null })
    expect(host?.reasons.map((reason) => reason.kind)).toEqual([kind])
    expect(host?.pgpus.map(({ fits }) => fits.value)).toEqual([1, 1, 4, 0])
  })

  test('does not land where nova-compute is disabled, although Placement offers it', async () => {
    openstack.controls.disableService({ host: 'cmp-r2-08', value: 'new rails' })
    await read()
    expect(hostOf(await explain('vgpu.t4-4q'), 'cmp-r2-08')).toMatchObject({
      state: 'blocked',
      standing: null,
      reasons: [{ kind: 'service', because: 'nova-compute is disabled: new rails' }],
    })
  })

  test('is promised more by Placement than the hardware has', async () => {
    await read()
    const { fit } = await explain('vgpu.a40-4q')
    expect(fit.hosts[0]).toMatchObject({ host: 'cmp-r4-01', standing: 'over-promise', state: 'fits' })
    expect(fit.byPlacement).toBeGreaterThan(fit.fits)
  })

  test('is not known where a host is silent', async () => {
    await read()
    clock = new Date(startAt.getTime() + 300_000)
    await report((host) => host !== 'cmp-r2-08')
    await reading.readRound()
    const { fit } = await explain('vgpu.t4-4q', { count: 1 })
    expect(fit.hosts[0]).toMatchObject({ host: 'cmp-r2-08', state: 'unknown', fits: { value: null } })
    expect(fit.hosts[0]?.reasons[0]?.because).toContain('silent since')
    expect([fit.unknownHosts, fit.answer?.answer]).toEqual([1, 'cannot-tell'])
  })

  test('can ask for one availability zone, and for none that does not exist', async () => {
    await read()
    expect((await explain('vgpu.t4-4q', { zone: 'nova' })).fit.fits).toBe(6)
    await expect(explain('vgpu.t4-4q', { zone: 'attic' })).rejects.toMatchObject({
      code: 'validation',
      field: 'zone',
    })
  })
})

describe('Placement', () => {
  const isOfHost = ({ rootUuid: root }: Provider) => root === rootUuid('cmp-r2-08')
  const emptiest = ({ name }: Provider) => name.startsWith('cmp-r2-08') && name.includes('a1_00')

  test('is asked now: what others took since the reading counts', async () => {
    await read()
    takeAll(emptiest, 'VGPU')
    expect((await explain('vgpu.t4-4q')).fit).toMatchObject({ fits: 2, byPlacement: 2 })
  })

  test('leaves out a host that was read as free: can’t tell why, until it has been read anew', async () => {
    await read()
    takeAll(isOfHost, 'VGPU')
    const before = await explain('vgpu.t4-4q')
    expect(hostOf(before, 'cmp-r2-08')).toMatchObject({
      state: 'blocked',
      standing: 'unexplained',
      reasons: [{ kind: 'unexplained' }],
    })
    await reading.readRound()
    expect(hostOf(await explain('vgpu.t4-4q'), 'cmp-r2-08')).toMatchObject({
      state: 'blocked',
      standing: null,
      reasons: [{ kind: 'full' }],
    })
  })

  test('is asked once by all who look at the same flavor, through the service account', async () => {
    await read()
    await explain('vgpu.t4-4q')
    const before = account.transport.costs().placement.requests
    await Promise.all([explain('vgpu.t4-4q'), explain('vgpu.t4-4q', { count: 3 })])
    expect(account.transport.costs().placement.requests).toBe(before)
  })

  test('is away: the last reading stands with its time, and counts for nothing once a round has missed it', async () => {
    await read()
    openstack.controls.breakApi({ service: 'placement', kind: '503' })
    const { fit } = await explain('vgpu.t4-4q', { count: 2 })
    expect(fit).toMatchObject({ fits: 6, readAt: startAt.toISOString(), gap: null })
    expect([fit.placement.state, fit.answer?.answer]).toEqual(['away', 'yes'])
    expect(fit.placement.because).toContain('503')
    clock = new Date(startAt.getTime() + 60_000)
    await report()
    await reading.readRound()
    const later = await explain('vgpu.t4-4q', { count: 2 })
    expect(later.fit).toMatchObject({ fits: 6, readAt: startAt.toISOString() })
    expect(later.fit.gap).toContain("Placement's resource providers are of")
    expect(later.fit.answer?.answer).toBe('cannot-tell')
    expect((await list()).gap).toBe(later.fit.gap)
  })

  test('is not asked without a service account, nor for an alias that only the API can read', async () => {
    await read()
    const alone = { ...ctx(READER), accounts: [] }
    const { fit } = await explainFlavor(alone, { cloud: cloud.name, flavor: idOf('vgpu.t4-4q') })
    expect([fit.placement.state, fit.fits]).toEqual(['not-asked', 6])
    const passed = await explain('vgpu.l40s-8q')
    expect([passed.fit.placement.state, passed.fit.unknownHosts]).toEqual(['not-asked', 6])
    expect(passed.fit.placement.because).toContain('alias l40s-8q')
  })
})

describe('the list', () => {
  test('has the flavors that ask for a GPU, and counts the others', async () => {
    await read()
    const { flavors, withoutGpu, gap, isRead } = await list()
    expect([withoutGpu, gap, isRead]).toEqual([2, null, true])
    const byName = new Map(flavors?.map((flavor) => [flavor.name, flavor]))
    expect(byName.get('vgpu.t4-4q')).toMatchObject({ fits: 6, atOnce: 4, fittingHosts: 1, nearest: null })
    expect(byName.get('vgpu.t4-16c')).toMatchObject({
      fits: 0,
      possibleHosts: 1,
      nearest: { host: 'cmp-r2-07', kind: 'full' },
    })
    expect(byName.get('vgpu.l40s-8q')).toMatchObject({
      fits: 0,
      unknownHosts: 6,
      nearest: { kind: 'unknown' },
    })
    expect(byName.get('vgpu.t4-8q')?.possibleHosts).toBe(0)
  })

  test('says that nothing has been read before the first round', async () => {
    expect(await list()).toMatchObject({ isRead: false, flavors: null })
    await expect(explain('vgpu.t4-4q')).rejects.toMatchObject({ code: 'unavailable' })
  })
})

test('a vGPU type: how many more fit, whatever flavor brings them', async () => {
  await read()
  const input = { cloud: cloud.name, type: 'nvidia-232' }
  const answer = typeFitSchema.parse(await explainType(ctx(READER), input))
  expect(answer).toMatchObject({ name: 'T4-4Q', fit: { fits: 6, placement: { candidates: 3 } } })
  expect(answer.flavors.map(({ name }) => name)).toEqual(['vgpu.t4-4q'])
  expect(answer.fit.hosts.find(({ host }) => host === 'cmp-r2-07')?.reasons[0]?.because).toBe(
    'it carries another type',
  )
  await expect(explainType(ctx(READER), { ...input, type: 'nvidia-0' })).rejects.toMatchObject({
    code: 'not_found',
    field: 'type',
  })
})

test('what does not exist and who may not ask', async () => {
  await read()
  await expect(explain('no-such')).rejects.toMatchObject({ code: 'not_found', field: 'flavor' })
  const tenant = ctx(TENANT)
  const before = account.transport.costs().placement.requests
  const scope = { cloud: cloud.name }
  await expect(listFlavors(tenant, scope)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(explainFlavor(tenant, { ...scope, flavor: idOf('vgpu.t4-4q') })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await expect(explainType(tenant, { ...scope, type: 'nvidia-232' })).rejects.toMatchObject({
    code: 'forbidden',
  })
  expect(account.transport.costs().placement.requests).toBe(before)
})
