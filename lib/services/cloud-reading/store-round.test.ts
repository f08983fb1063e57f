import { expect, test } from 'vitest'
import { buildInput } from '@/lib/domain/testing/build-cloud'
import { buildInventory } from '@/lib/domain/testing/build-inventory'
import type { ReadingRound } from '@/lib/openstack/reading/types'
import type { Database } from '@/lib/server/database/database'
import { createQuery } from '@/lib/server/database/row'
import { createServiceWorld, NOW } from '@/lib/services/testing/service-world'
import { storeReport } from '@/lib/services/testing/stored-report'
import { encodePart } from './cloud-parts'
import { loadCloudFacts } from './facts-of-cloud'
import { getCloudReading } from './get-cloud-reading'
import { storeRound } from './store-round'

const world = createServiceWorld()

const roundOf = (facts: ReadingRound['facts']): ReadingRound => ({
  facts,
  cost: [],
  notes: [],
  waitingRequests: 0,
  isUnfinished: false,
  unplaced: [],
})

/** The database, and the parts whose bodies were written through it. */
const watched = () => {
  const written: unknown[] = []
  const database: Database = {
    ...world.database(),
    transaction: (work) =>
      world.database().transaction(({ query, prisma }) =>
        work({
          prisma,
          query: createQuery((sql, params) => {
            if (String(sql).includes('INSERT INTO cloud_part')) written.push(params[1])
            return query(sql, params)
          }),
        }),
      ),
  }
  return { database, written }
}

test('only the changed parts of a round are written, and all are read back', async () => {
  const cloud = { ...(await world.newCloud()), region: null }
  const { database, written } = watched()
  const checks = [
    { host: 'gpu1', state: 'alive' as const },
    { host: 'gpu2', state: 'missing' as const },
    { host: 'gpu3', state: 'dead' as const, agentTypes: ['Open vSwitch agent'] },
    { host: 'gpu4', state: 'unverified' as const, because: 'Neutron returned no agents to this account.' },
  ]
  const networkAgents = { value: checks, at: NOW.toISOString(), error: null, failingSince: null }
  const first = { ...buildInput({ networkAgents }, []).facts, cloud: cloud.name, region: null }
  const input = { cloudId: cloud.id, startedAt: NOW, tookMs: 12 }
  await storeRound(database, { ...input, previous: null, round: roundOf(first) })
  expect(written).toHaveLength(11)
  written.length = 0
  const second = { ...first }
  second.projects = { value: [], at: NOW.toISOString(), error: null, failingSince: null }
  await storeRound(database, { ...input, previous: first, round: roundOf(second) })
  expect(written).toEqual(['projects'])
  const stored = await loadCloudFacts(world.database().query, { cloud, now: NOW })
  expect(stored).toEqual({ facts: second, roundNumber: 2 })
})

test('limits are counted with those of projects, and not at all where those can not be read', async () => {
  const cloud = { ...(await world.newCloud()), region: null }
  const { facts } = buildInput({}, [])
  const input = { cloudId: cloud.id, startedAt: NOW, tookMs: 12, previous: null }
  const limitScope = { id: '1', serviceId: 'nova', regionId: null, resourceName: 'class:VGPU' }
  const limits = {
    model: 'flat',
    registered: [{ ...limitScope, defaultLimit: 0 }],
    project: [{ ...limitScope, projectId: 'demo', domainId: null, resourceLimit: 4 }],
    novaServiceId: 'nova',
    novaRegionId: null,
  }
  const itemsWith = async (value: NonNullable<(typeof facts)['limits']['value']>) => {
    const readPart = { value, at: NOW.toISOString(), error: null, failingSince: null }
    const round = roundOf({ ...facts, cloud: cloud.name, region: null, limits: readPart })
    await storeRound(world.database(), { ...input, round })
    const { parts } = await getCloudReading(world.ctx(), { cloud: cloud.name })
    return parts.find(({ part }) => part === 'limits')?.items
  }
  expect(await itemsWith(limits)).toBe(2)
  expect(await itemsWith({ ...limits, project: null })).toBeNull()
})

test('the history has a limit when it comes, changes and goes, and not when it could not be read', async () => {
  const cloud = { ...(await world.newCloud()), region: null }
  const { facts } = buildInput({}, [])
  const limitScope = { id: '1', serviceId: 'nova', regionId: 'RegionOne', resourceName: 'class:VGPU' }
  const own = (resourceLimit: number) => ({ ...limitScope, projectId: 'demo', domainId: null, resourceLimit })
  const round = (minutes: number, defaultLimit: number, project: ReturnType<typeof own>[] | null) => {
    const registered = [
      { ...limitScope, defaultLimit },
      { ...limitScope, serviceId: 'glance', defaultLimit: 9 },
    ]
    const value = { model: 'flat', registered, project, novaServiceId: 'nova', novaRegionId: null }
    const limits = { value, at: NOW.toISOString(), error: null, failingSince: null }
    return storeRound(world.database(), {
      cloudId: cloud.id,
      startedAt: new Date(NOW.getTime() + minutes * 60_000),
      tookMs: 1,
      previous: null,
      round: roundOf({ ...facts, cloud: cloud.name, region: null, limits }),
    })
  }
  await round(0, 0, [own(4)])
  await round(1, 0, [own(4)])
  await round(2, 0, null)
  await round(3, 0, [own(8)])
  // Another console, whose clock is behind.
  await round(1, 2, [])
  const rows = await world.database().prisma.limitChange.findMany({
    where: { cloudId: cloud.id },
    orderBy: [{ projectId: 'asc' }, { at: 'asc' }],
  })
  const stored = rows.map(({ projectId, at, value }) => [projectId, at.getTime() - NOW.getTime(), value])
  expect(stored).toEqual([
    ['', 0, 0],
    ['', 60_000, 2],
    ['demo', 0, 4],
    ['demo', 180_000, 8],
    ['demo', 180_001, null],
  ])
})

test('a stored part of another form counts as never read, and an older round has no newer versions', async () => {
  const cloud = { ...(await world.newCloud()), region: null }
  const { facts } = buildInput({}, [])
  const round = roundOf({ ...facts, cloud: cloud.name, region: null })
  await storeRound(world.database(), { cloudId: cloud.id, previous: null, round, startedAt: NOW, tookMs: 1 })
  const { prisma, query } = world.database()
  await prisma.cloudPart.update({
    where: { cloudId_part: { cloudId: cloud.id, part: 'projects' } },
    data: { body: new Uint8Array(await encodePart([{ id: 7, name: 'demo' }])), at: NOW },
  })
  await prisma.cloudRound.update({ where: { cloudId: cloud.id }, data: { versions: { nova: '2.96' } } })
  const stored = await loadCloudFacts(query, { cloud, now: NOW })
  expect(stored?.facts.projects).toMatchObject({ value: null, at: null })
  expect(stored?.facts.flavors).toEqual(facts.flavors)
  expect(stored?.facts.versions).toEqual({ nova: '2.96', placement: null, keystone: null })
})

test('hosts send their report again when the release of Nova has other rules', async () => {
  const cloud = { ...(await world.newCloud()), region: null }
  const { prisma } = world.database()
  const inventory = buildInventory({ cards: [] })
  await storeReport(world.database(), { cloudId: cloud.id, inventory, seenAt: NOW })
  const digest = async () => (await prisma.host.findFirstOrThrow({ where: { cloudId: cloud.id } })).digest
  const read = async (nova: string) => {
    const { facts } = buildInput({ versions: { nova, placement: '1.39', keystone: '3.14' } }, [])
    await storeRound(world.database(), {
      cloudId: cloud.id,
      startedAt: NOW,
      tookMs: 12,
      previous: null,
      round: roundOf({ ...facts, cloud: cloud.name, region: null }),
    })
  }
  const report = () => storeReport(world.database(), { cloudId: cloud.id, inventory, seenAt: NOW })
  await read('2.96')
  // Nothing was known of the release before.
  expect(await digest()).toBeNull()
  for (const [nova, isRequested] of [
    ['2.96', false],
    // A microversion between those of two releases is that of the same releases.
    ['2.97', false],
    // Nova 31 may check aliases at its start, Nova 33 does.
    ['2.100', true],
    ['2.103', true],
    ['2.95', true],
  ] as const) {
    await report()
    await read(nova)
    expect([nova, (await digest()) === null]).toEqual([nova, isRequested])
  }
})
