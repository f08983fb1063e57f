import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { gpuColumnsSchema } from '@/lib/schemas/api/gpu-columns'
import type { Database, Query } from '@/lib/server/database/database'
import { createQuery } from '@/lib/server/database/row'
import { readTestDatabaseUrl } from '@/lib/server/settings/env'
import { createTestDatabase } from '@/lib/server/testing/test-database'
import { addCloud, addType, type PgpuRow, writeHost, writeHostRows } from '@/lib/services/testing/fleet-rows'
import { signal } from '@/lib/services/testing/signal'
import { createFleetSnapshot, type FleetSnapshot } from './fleet-snapshot'

let database: Database
let cloudCount = 0

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const newCloud = async () => {
  const name = `cloud-${++cloudCount}`
  return { id: await addCloud(database, name), name }
}
type Cloud = Awaited<ReturnType<typeof newCloud>>

const snapshotOf = (cloud: Cloud, query: Query = database.query): FleetSnapshot =>
  createFleetSnapshot({ query, cloud, longestRestMs: 0 })

const columnsOf = async (snapshot: FleetSnapshot) =>
  gpuColumnsSchema.parse(JSON.parse((await snapshot.current()).encoded.identity.toString()))

const counting = () => {
  const statements: string[] = []
  const query = createQuery((sql, params) => {
    statements.push(typeof sql === 'string' ? sql : sql.text)
    return database.query(sql, params)
  })
  return { query, statements }
}

test('holds every column of a pGPU', async () => {
  const cloud = await newCloud()
  const t4 = await addType(database, {
    typeId: 'nvidia-319',
    name: 'GRID T4-4C',
    maxInstance: 4,
    framebufferMib: 4096,
  })
  const finding = { code: 'orphans', severity: 'warning', sentence: '3 orphaned mdevs lock the GPU to T4-4C' }
  const numbers = { capacity: 4, used: 0, spare: 0, orphan: 3, returning: 1, creatable: 1 }
  await writeHost(database, {
    cloudId: cloud.id,
    name: 'cmp-2',
    pgpus: [
      {
        address: '0000:e7:00.0',
        model: 'Tesla T4',
        framework: 'mdev',
        numaNode: 1,
        framebufferMib: 16384,
        ...t4,
        ...numbers,
        finding,
      },
      {
        address: '0000:18:00.0',
        model: 'Tesla T4',
        framework: 'none',
        unknownReason: 'not configured for vGPU or passthrough',
      },
    ],
  })
  await writeHost(database, { cloudId: cloud.id, name: 'cmp-1', pgpus: [] })
  const gpus = await columnsOf(snapshotOf(cloud))
  expect(gpus).toMatchObject({
    cloud: cloud.name,
    hosts: ['cmp-2'],
    addresses: ['0000:18:00.0', '0000:e7:00.0'],
    models: ['Tesla T4'],
    types: [{ typeId: 'nvidia-319', shortName: 'T4-4C', framebufferMib: 4096 }],
    frameworks: ['none', 'mdev'],
    ranges: [[4, 4]],
    findings: [finding],
    reasons: ['not configured for vGPU or passthrough'],
  })
  expect(gpus.columns).toEqual({
    hostIndex: [0, 0],
    addressIndex: [0, 1],
    modelIndex: [0, 0],
    frameworkIndex: [0, 1],
    typeIndex: [null, 0],
    rangeIndex: [null, 0],
    numaNode: [null, 1],
    framebufferMib: [null, 16384],
    capacity: [null, 4],
    used: [null, 0],
    spare: [null, 0],
    orphan: [null, 3],
    returning: [null, 1],
    creatable: [null, 1],
    findingIndex: [null, 0],
    reasonIndex: [0, null],
    advertised: [null, null],
    advertisedUsed: [null, null],
    stranded: [null, null],
    strandedReasonIndex: [null, null],
    serviceIndex: [null, null],
    aggregateSetIndex: [null, null],
  })
})

const addNamelessType = (typeId: string, name: string | null) =>
  database.prisma.vgpuType.create({ data: { hash: `${typeId} ${name}`, typeId, name } })

const onL40s = (typeId: number, address = '0000:c8:00.0'): PgpuRow => ({
  address,
  model: 'NVIDIA L40S',
  typeId,
})

test('a type without a name goes by the name that is stored for its id, and is one type with it', async () => {
  const cloud = await newCloud()
  const bare = await addNamelessType('nvidia-9201', null)
  const named = await addNamelessType('nvidia-9201', 'NVIDIA L40S-16Q')
  await addNamelessType('nvidia-9201', 'NVIDIA A40-4Q')
  await writeHost(database, {
    cloudId: cloud.id,
    name: 'cmp-1',
    pgpus: [onL40s(bare.id), onL40s(named.id, '0000:c9:00.0')],
  })
  const { types, columns } = await columnsOf(snapshotOf(cloud))
  expect(types).toEqual([{ typeId: 'nvidia-9201', shortName: 'L40S-16Q', framebufferMib: 16_384 }])
  expect(columns.typeIndex).toEqual([0, 0])
})

test('a name that is learned later is on every pGPU of the type', async () => {
  const cloud = await newCloud()
  const bare = await addNamelessType('nvidia-9202', null)
  await writeHost(database, { cloudId: cloud.id, name: 'cmp-1', pgpus: [onL40s(bare.id)] })
  const snapshot = snapshotOf(cloud)
  expect((await columnsOf(snapshot)).types).toMatchObject([{ shortName: 'nvidia-9202' }])
  const named = await addNamelessType('nvidia-9202', 'NVIDIA L40S-24Q')
  await writeHost(database, { cloudId: cloud.id, name: 'cmp-2', pgpus: [onL40s(named.id)] })
  const { types, columns } = await columnsOf(snapshot)
  expect(types).toMatchObject([{ typeId: 'nvidia-9202', shortName: 'L40S-24Q' }])
  expect(columns.typeIndex).toEqual([0, 0])
})

const anyNumber = fc.option(fc.nat(32), { nil: null })
const anyPgpu: fc.Arbitrary<PgpuRow> = fc.record({
  address: fc.constantFrom('0000:18:00.0', '0000:19:00.0', '0000:e7:00.0'),
  model: fc.constantFrom('Tesla T4', 'NVIDIA A40'),
  capacity: anyNumber,
  used: anyNumber,
  finding: fc.option(
    fc.record({
      code: fc.constant('orphans'),
      severity: fc.constantFrom('warning', 'error'),
      sentence: fc.constantFrom('one', 'two'),
    }),
    { nil: null },
  ),
})
const anyStep = fc.record({
  host: fc.constantFrom('cmp-1', 'cmp-2', 'cmp-3', 'cmp-4'),
  pgpus: fc.option(fc.uniqueArray(anyPgpu, { selector: (pgpu) => pgpu.address }), { nil: null }),
  isRead: fc.boolean(),
})

test('after any changes a refreshed snapshot equals one that is built again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 8 }), async (steps) => {
      const cloud = await newCloud()
      const cached = snapshotOf(cloud)
      await cached.current()
      for (const { host, pgpus, isRead } of steps) {
        if (pgpus === null)
          await database.query('DELETE FROM host WHERE cloud_id = $1 AND name = $2', [cloud.id, host])
        else await writeHost(database, { cloudId: cloud.id, name: host, pgpus })
        if (isRead) await cached.current()
      }
      const [refreshed, rebuilt] = [await cached.current(), await snapshotOf(cloud).current()]
      expect(refreshed.encoded.identity.toString()).toBe(rebuilt.encoded.identity.toString())
      expect(refreshed.hosts.map((block) => block.name)).toEqual(rebuilt.hosts.map((block) => block.name))
    }),
    { numRuns: 40 },
  )
}, 60_000)

test('an unchanged fleet is the same object and costs one statement', async () => {
  const cloud = await newCloud()
  await writeHost(database, { cloudId: cloud.id, name: 'cmp-1', pgpus: [{ address: '0000:18:00.0' }] })
  const { query, statements } = counting()
  const snapshot = snapshotOf(cloud, query)
  const first = await snapshot.current()
  statements.length = 0
  expect(await snapshot.current()).toBe(first)
  expect(statements).toHaveLength(1)
})

test('a host that changed without its pGPUs keeps what was encoded', async () => {
  const cloud = await newCloud()
  const host = { cloudId: cloud.id, name: 'cmp-1', pgpus: [{ address: '0000:18:00.0', used: 3 }] }
  await writeHost(database, host)
  const snapshot = snapshotOf(cloud)
  const first = await snapshot.current()
  await writeHost(database, { ...host, problemCount: 4 })
  const second = await snapshot.current()
  expect(second).not.toBe(first)
  expect(second.encoded).toBe(first.encoded)
})

test('only the changed host is read again', async () => {
  const cloud = await newCloud()
  const ids: number[] = []
  for (const name of ['cmp-1', 'cmp-2', 'cmp-3'])
    ids.push(await writeHost(database, { cloudId: cloud.id, name, pgpus: [{ address: '0000:18:00.0' }] }))
  const requested: unknown[] = []
  const query = createQuery((sql, params) => {
    if (typeof sql === 'string' && sql.includes('FROM pgpu')) requested.push(params?.[1])
    return database.query(sql, params)
  })
  const snapshot = snapshotOf(cloud, query)
  await snapshot.current()
  await writeHost(database, { cloudId: cloud.id, name: 'cmp-2', pgpus: [] })
  await snapshot.current()
  expect(requested).toEqual([ids, [ids[1]]])
})

test('a removed host is found, and one that came without a mark', async () => {
  const cloud = await newCloud()
  for (const name of ['cmp-1', 'cmp-2'])
    await writeHost(database, { cloudId: cloud.id, name, pgpus: [{ address: '0000:18:00.0' }] })
  const snapshot = snapshotOf(cloud)
  await snapshot.current()
  await database.query('DELETE FROM host WHERE cloud_id = $1 AND name = $2', [cloud.id, 'cmp-1'])
  expect((await columnsOf(snapshot)).hosts).toEqual(['cmp-2'])
  await database.prisma.host.create({ data: { cloudId: cloud.id, name: 'cmp-0' } })
  expect((await snapshot.current()).hosts.map((block) => block.name)).toEqual(['cmp-0', 'cmp-2'])
})

test('equal content has equal versions on two replicas that saw it grow differently', async () => {
  const [one, other] = [await newCloud(), await newCloud()]
  const a = { name: 'cmp-1', pgpus: [{ address: '0000:18:00.0', model: 'Tesla T4', used: 1 }] }
  const b = { name: 'cmp-2', pgpus: [{ address: '0000:19:00.0', model: 'NVIDIA A40', used: 2 }] }
  const [early, late] = [snapshotOf(one), snapshotOf({ ...other, name: one.name })]
  await writeHost(database, { cloudId: one.id, ...b })
  await early.current()
  await writeHost(database, { cloudId: one.id, ...a })
  await writeHost(database, { cloudId: other.id, ...a })
  await writeHost(database, { cloudId: other.id, ...b })
  const versions = [(await early.current()).encoded.version, (await late.current()).encoded.version]
  expect(versions[0]).toBe(versions[1])
})

test('questions at the same time share one refresh', async () => {
  const cloud = await newCloud()
  const { query, statements } = counting()
  const snapshot = snapshotOf(cloud, query)
  const answers = await Promise.all([snapshot.current(), snapshot.current(), snapshot.current()])
  expect(new Set(answers).size).toBe(1)
  expect(statements.filter((sql) => sql.includes('pg_current_snapshot'))).toHaveLength(1)
})

test('after a rebuild the database rests, then the next change is seen', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const cloud = await newCloud()
  const slowly = createQuery(async (sql, params) => {
    vi.advanceTimersByTime(20)
    return database.query(sql, params)
  })
  const snapshot = createFleetSnapshot({ query: slowly, cloud, longestRestMs: 1000 })
  const first = await snapshot.current()
  await writeHost(database, { cloudId: cloud.id, name: 'cmp-1', pgpus: [{ address: '0000:18:00.0' }] })
  expect(await snapshot.current()).toBe(first)
  vi.advanceTimersByTime(1000)
  expect((await columnsOf(snapshot)).hosts).toEqual(['cmp-1'])
  vi.useRealTimers()
})

test('a failed read is reported and the next one succeeds', async () => {
  const cloud = await newCloud()
  await writeHost(database, { cloudId: cloud.id, name: 'cmp-1', pgpus: [{ address: '0000:18:00.0' }] })
  let isDown = true
  const query = createQuery((sql, params) =>
    isDown ? Promise.reject(new Error('connection lost')) : database.query(sql, params),
  )
  const snapshot = snapshotOf(cloud, query)
  await expect(snapshot.current()).rejects.toThrow('connection lost')
  isDown = false
  expect((await columnsOf(snapshot)).hosts).toEqual(['cmp-1'])
})

/** PGlite has one connection, so two open transactions exist on PostgreSQL only. */
test.runIf(readTestDatabaseUrl())('a transaction that commits after a later one is not missed', async () => {
  const cloud = await newCloud()
  const hostWith = (name: string, used: number) => ({
    cloudId: cloud.id,
    name,
    pgpus: [{ address: '0000:18:00.0', used }],
  })
  await writeHost(database, hostWith('cmp-1', 0))
  await writeHost(database, hostWith('cmp-2', 0))
  const snapshot = snapshotOf(cloud)
  await snapshot.current()
  const [written, mayCommit] = [signal(), signal()]
  const late = database.transaction(async ({ query }) => {
    await writeHostRows(query, hostWith('cmp-1', 5))
    written.give()
    await mayCommit.given
  })
  await written.given
  await writeHost(database, hostWith('cmp-2', 7))
  expect((await columnsOf(snapshot)).columns.used).toEqual([0, 7])
  mayCommit.give()
  await late
  expect((await columnsOf(snapshot)).columns.used).toEqual([5, 7])
})
