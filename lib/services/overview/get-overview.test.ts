import { expect, test } from 'vitest'
import { type Finding, findingKey, type Subject } from '@/lib/domain/findings/finding'
import { overviewSchema } from '@/lib/schemas/api/fleet'
import type { Actor } from '@/lib/server/context/service-context'
import { storeFindings } from '@/lib/services/cloud-reading/store-findings'
import { acknowledgeFinding } from '@/lib/services/finding/acknowledge-finding'
import { listFindings } from '@/lib/services/finding/list-findings'
import { countingDatabase } from '@/lib/services/testing/counting-database'
import { addType, type HostRows, writeHost } from '@/lib/services/testing/fleet-rows'
import { createServiceWorld, READER, secondsAgo, TENANT } from '@/lib/services/testing/service-world'
import { getOverview } from './get-overview'

const world = createServiceWorld()

const numbers = { capacity: 4, used: 1, spare: 1, orphan: 0, returning: 0, creatable: 2 }

const storeHost = async (
  host: HostRows,
  findings: { code: string; severity: string; pgpuAddress: string | null }[] = [],
) => {
  const id = await writeHost(world.database(), host)
  await world
    .database()
    .query('UPDATE host SET findings = $2::jsonb WHERE id = $1', [id, JSON.stringify(findings)])
}

test('totals are of the cloud, by model and by type', async () => {
  const cloud = await world.newCloud()
  const t4c = await addType(world.database(), {
    typeId: 'nvidia-319',
    name: 'GRID T4-4C',
    maxInstance: 4,
    framebufferMib: 4096,
  })
  const t4 = { ...numbers, ...t4c, model: 'Tesla T4', framework: 'mdev' }
  await storeHost({
    cloudId: cloud.id,
    name: 'cmp-1',
    seenAt: secondsAgo(3),
    pgpus: [
      { ...t4, address: '0000:18:00.0' },
      {
        ...t4,
        address: '0000:19:00.0',
        typeId: null,
        capacity: null,
        creatable: null,
        unknownReason: 'no vGPU type is set',
      },
      { ...numbers, address: '0000:41:00.0', model: 'NVIDIA A40', framework: 'passthrough' },
    ],
  })
  const overview = await getOverview(world.ctx(READER), { cloud: cloud.name })
  expect(overviewSchema.parse(overview)).toEqual(overview)
  expect(overview).toMatchObject({
    cloud: cloud.name,
    hosts: 1,
    pgpus: 3,
    totals: { pgpus: 2, capacity: 4, used: 1, spare: 1, free: 2, blocked: 0, unknown: 0, unknownPgpus: 1 },
    passthrough: { pgpus: 1, capacity: 4, used: 1 },
    byModel: [
      {
        model: 'NVIDIA A40',
        pgpus: 0,
        passthrough: { pgpus: 1, capacity: 4 },
        byType: [{ typeId: null, shortName: 'whole card', unit: 'passthrough', pgpus: 1, capacity: 4 }],
      },
      {
        model: 'Tesla T4',
        pgpus: 2,
        capacity: 4,
        unknownPgpus: 1,
        byType: [
          { typeId: 'nvidia-319', shortName: 'T4-4C', unit: 'vgpu', pgpus: 1, capacity: 4, unknownPgpus: 0 },
          {
            typeId: null,
            shortName: 'no type yet',
            pgpus: 1,
            capacity: null,
            used: null,
            unknownPgpus: 1,
            unknownReason: 'no vGPU type is set',
          },
        ],
      },
    ],
    attention: [],
  })
})

test('the last known numbers of a silent host are marked, it is named once, and its old findings are left out', async () => {
  const cloud = await world.newCloud()
  const pgpus = [{ ...numbers, address: '0000:18:00.0' }]
  const orphans = [{ code: 'orphan-mdevs', severity: 'warning', pgpuAddress: '0000:18:00.0' }]
  for (const name of ['cmp-1', 'cmp-2', 'cmp-3'])
    await storeHost({ cloudId: cloud.id, name, pgpus, seenAt: secondsAgo(3) })
  await storeHost({ cloudId: cloud.id, name: 'cmp-4', pgpus, seenAt: secondsAgo(300) }, orphans)
  await storeHost({ cloudId: cloud.id, name: 'cmp-5', pgpus: [], seenAt: null })
  const overview = await getOverview(world.ctx(), { cloud: cloud.name })
  expect(overview.totals).toMatchObject({
    pgpus: 4,
    capacity: 16,
    unknown: 0,
    lastKnown: { hosts: 1, pgpus: 1, capacity: 4, used: 1, oldestSeenAt: secondsAgo(300).toISOString() },
  })
  expect(overview.attention).toMatchObject([
    { code: 'hosts-silent', count: 1, subjects: [{ kind: 'host', host: 'cmp-4' }] },
    { code: 'hosts-never-reported', count: 1, subjects: [{ kind: 'host', host: 'cmp-5' }] },
  ])
})

test('a host that falls silent stays in the totals, and is marked although no pGPU changed', async () => {
  const cloud = await world.newCloud()
  const pgpus = [{ ...numbers, address: '0000:18:00.0' }]
  for (const name of ['cmp-1', 'cmp-2', 'cmp-3'])
    await storeHost({ cloudId: cloud.id, name, pgpus, seenAt: secondsAgo(3) })
  const capacity = async () => {
    const { totals, asOf } = await getOverview(world.ctx(), { cloud: cloud.name })
    return { capacity: totals.capacity, lastKnown: totals.lastKnown?.capacity ?? 0, asOf }
  }
  const fallSilent = (name: string, seconds: number) =>
    world
      .database()
      .query('UPDATE host SET seen_at = $3 WHERE cloud_id = $1 AND name = $2', [
        cloud.id,
        name,
        secondsAgo(seconds),
      ])
  const before = await capacity()
  expect(before).toMatchObject({ capacity: 12, lastKnown: 0 })
  await fallSilent('cmp-2', 300)
  const silent = await capacity()
  expect(silent).toMatchObject({ capacity: 12, lastKnown: 4 })
  expect(silent.asOf).not.toBe(before.asOf)
  await fallSilent('cmp-2', 1)
  expect(await capacity()).toEqual(before)
})

test('a silent fleet is shown as such, without its hosts', async () => {
  const cloud = await world.newCloud()
  for (const name of ['cmp-1', 'cmp-2', 'cmp-3'])
    await storeHost({ cloudId: cloud.id, name, pgpus: [], seenAt: secondsAgo(300) })
  const { attention } = await getOverview(world.ctx(), { cloud: cloud.name })
  expect(attention).toMatchObject([{ code: 'console-blind', severity: 'error', count: 3, subjects: [] }])
})

test('while most hosts are silent the totals are the last known ones, and marked', async () => {
  const cloud = await world.newCloud()
  const pgpus = [{ ...numbers, address: '0000:18:00.0' }]
  for (const name of ['cmp-1', 'cmp-2', 'cmp-3'])
    await storeHost({ cloudId: cloud.id, name, pgpus, seenAt: secondsAgo(300) })
  const { totals, byModel } = await getOverview(world.ctx(), { cloud: cloud.name })
  const lastKnown = { hosts: 3, pgpus: 3, capacity: 12, used: 3 }
  expect(totals).toMatchObject({ pgpus: 3, capacity: 12, used: 3, lastKnown })
  expect(byModel).toMatchObject([{ capacity: 12, lastKnown, byType: [{ capacity: 12, lastKnown }] }])
})

test('places that can not be filled now are counted, so that the sums add up', async () => {
  const cloud = await world.newCloud()
  const pgpus = [
    { address: '0000:18:00.0', capacity: 7, used: 3, spare: 1, orphan: 0, returning: 0, creatable: 0 },
  ]
  await storeHost({ cloudId: cloud.id, name: 'cmp-1', pgpus, seenAt: secondsAgo(3) })
  const { totals } = await getOverview(world.ctx(), { cloud: cloud.name })
  expect(totals).toMatchObject({ capacity: 7, used: 3, spare: 1, orphan: 0, free: 0, locked: 3, blocked: 3 })
})

test('one vGPU type in two wordings is one entry under its name', async () => {
  const cloud = await world.newCloud()
  const named = await world.database().prisma.vgpuType.create({
    data: { hash: `named ${cloud.name}`, typeId: 'nvidia-9154', name: 'NVIDIA L40S-16Q' },
  })
  const bare = await world.database().prisma.vgpuType.create({
    data: { hash: `bare ${cloud.name}`, typeId: 'nvidia-9154' },
  })
  const pgpus = [named, bare].map(({ id }, n) => ({
    ...numbers,
    address: `0000:1${n}:00.0`,
    model: 'NVIDIA L40S',
    typeId: id,
  }))
  await storeHost({ cloudId: cloud.id, name: 'cmp-1', pgpus, seenAt: secondsAgo(3) })
  const { byModel } = await getOverview(world.ctx(), { cloud: cloud.name })
  expect(byModel[0]?.byType).toMatchObject([{ typeId: 'nvidia-9154', shortName: 'L40S-16Q', pgpus: 2 }])
})

test('findings are grouped by code, the most urgent first, with their first subjects', async () => {
  const cloud = await world.newCloud()
  const mark = (code: string, severity: string, pgpuAddress: string | null) => ({
    code,
    severity,
    pgpuAddress,
  })
  const host = { cloudId: cloud.id, pgpus: [], seenAt: secondsAgo(3) }
  await storeHost({ ...host, name: 'cmp-1' }, [
    mark('orphan-mdevs', 'warning', '0000:18:00.0'),
    mark('orphan-mdevs', 'warning', '0000:19:00.0'),
    mark('old-option-names', 'info', null),
  ])
  await storeHost({ ...host, name: 'cmp-2' }, [mark('option-invalid', 'error', null)])
  const { attention } = await getOverview(world.ctx(), { cloud: cloud.name })
  expect(attention).toEqual([
    {
      code: 'option-invalid',
      severity: 'error',
      sentence: 'An mdev option has an invalid value; nova-compute does not start',
      count: 1,
      subjects: [{ kind: 'host', host: 'cmp-2' }],
      isTracked: false,
      since: null,
    },
    {
      code: 'orphan-mdevs',
      severity: 'warning',
      sentence: 'Orphaned mdevs block pGPUs',
      count: 2,
      subjects: [
        { kind: 'pgpu', host: 'cmp-1', address: '0000:18:00.0' },
        { kind: 'pgpu', host: 'cmp-1', address: '0000:19:00.0' },
      ],
      isTracked: false,
      since: null,
    },
    {
      code: 'old-option-names',
      severity: 'info',
      sentence: 'nova.conf uses deprecated option names',
      count: 1,
      subjects: [{ kind: 'host', host: 'cmp-1' }],
      isTracked: false,
      since: null,
    },
  ])
})

const tracked = (code: string, severity: Finding['severity'], subject: Subject): Finding => ({
  key: findingKey(code, subject),
  code,
  severity,
  subject,
  sentence: code,
  consequence: '',
  nextStep: '',
  command: null,
  sourceToCorrect: null,
  evidence: [],
})

test('findings of a round are listed with those of the hosts, each once, without acknowledged ones', async () => {
  const cloud = await world.newCloud()
  const pgpu: Subject = { kind: 'pgpu', host: 'cmp-1', address: '0000:18:00.0' }
  const flavor: Subject = { kind: 'flavor', id: 'f1', name: 'vgpu.t4' }
  await storeHost({ cloudId: cloud.id, name: 'cmp-1', pgpus: [], seenAt: secondsAgo(3) }, [
    { code: 'orphan-mdevs', severity: 'warning', pgpuAddress: '0000:18:00.0' },
    { code: 'sriov-over-promise', severity: 'warning', pgpuAddress: '0000:18:00.0' },
    { code: 'returning-mdevs', severity: 'info', pgpuAddress: null },
    { code: 'old-option-names', severity: 'info', pgpuAddress: null },
  ])
  const findings = [
    tracked('orphan-mdevs', 'warning', pgpu),
    tracked('placement-over-promises', 'error', pgpu),
    tracked('flavor-lands-nowhere', 'warning', flavor),
    tracked('returning-mdevs', 'info', { kind: 'host', host: 'cmp-1' }),
  ]
  const older = tracked('flavor-lands-nowhere', 'warning', { kind: 'flavor', id: 'f0', name: 'vgpu.a40' })
  const store = (detected: Finding[], seconds: number) =>
    storeFindings(world.database(), {
      cloudId: cloud.id,
      detected: { findings: detected, unverified: [] },
      at: secondsAgo(seconds),
    })
  await store([older], 90)
  await store([...findings, older], 30)
  for (const { id, code, subject } of (await listFindings(world.ctx(), { cloud: cloud.name })).findings)
    if (code === 'returning-mdevs' || (subject.kind === 'flavor' && subject.id === 'f0'))
      await acknowledgeFinding(world.ctx(), { id, body: { note: 'known', days: 1 } })
  const overview = await getOverview(world.ctx(), { cloud: cloud.name })
  expect(overviewSchema.parse(overview)).toEqual(overview)
  expect(overview.attention).toMatchObject([
    { code: 'placement-over-promises', severity: 'error', count: 1, subjects: [pgpu], isTracked: true },
    {
      code: 'flavor-lands-nowhere',
      count: 1,
      subjects: [flavor],
      isTracked: true,
      since: secondsAgo(30).toISOString(),
    },
    { code: 'orphan-mdevs', sentence: 'Orphaned mdevs block pGPUs', count: 1, isTracked: true },
    { code: 'old-option-names', isTracked: false, since: null },
  ])
})

test('silence is listed once, with the last report of the hosts', async () => {
  const cloud = await world.newCloud()
  for (const [name, seconds] of [
    ['cmp-1', 3],
    ['cmp-2', 3],
    ['cmp-3', 300],
  ] as const)
    await storeHost({ cloudId: cloud.id, name, pgpus: [], seenAt: secondsAgo(seconds) })
  await storeFindings(world.database(), {
    cloudId: cloud.id,
    detected: {
      findings: [tracked('host-silent', 'warning', { kind: 'host', host: 'cmp-3' })],
      unverified: [],
    },
    at: secondsAgo(30),
  })
  const { attention } = await getOverview(world.ctx(), { cloud: cloud.name })
  expect(attention).toMatchObject([{ code: 'hosts-silent', count: 1, isTracked: false }])
})

test('silence comes first, then the more severe, then what concerns more vGPUs', async () => {
  const cloud = await world.newCloud()
  const pgpus = ['0000:18:00.0', '0000:19:00.0'].map((address) => ({ ...numbers, address }))
  for (const [name, seconds] of [
    ['cmp-1', 3],
    ['cmp-2', 3],
    ['cmp-3', 300],
  ] as const)
    await storeHost({ cloudId: cloud.id, name, pgpus, seenAt: secondsAgo(seconds) })
  const onCard: Subject = { kind: 'pgpu', host: 'cmp-1', address: '0000:18:00.0' }
  const other: Subject = { kind: 'pgpu', host: 'cmp-2', address: '0000:18:00.0' }
  await storeFindings(world.database(), {
    cloudId: cloud.id,
    detected: {
      findings: [
        tracked('flavor-lands-nowhere', 'warning', { kind: 'flavor', id: 'f1', name: 'vgpu' }),
        tracked('trait-lost', 'warning', onCard),
        tracked('trait-lost', 'warning', other),
        tracked('vgpus-stranded', 'warning', { kind: 'host', host: 'cmp-1' }),
        tracked('last-gpu-tight', 'warning', { kind: 'host', host: 'cmp-1' }),
        tracked('last-gpu-tight', 'warning', { kind: 'host', host: 'cmp-2' }),
        tracked('orphan-mdevs', 'warning', onCard),
        tracked('placement-over-promises', 'error', onCard),
      ],
      unverified: [],
    },
    at: secondsAgo(30),
  })
  const { attention } = await getOverview(world.ctx(), { cloud: cloud.name })
  expect(attention.map(({ code }) => code)).toEqual([
    'hosts-silent',
    'placement-over-promises',
    'last-gpu-tight',
    'trait-lost',
    'vgpus-stranded',
    'orphan-mdevs',
    'flavor-lands-nowhere',
  ])
})

test('another cloud has its own numbers, and an empty one has none', async () => {
  const [full, empty] = [await world.newCloud(), await world.newCloud()]
  await storeHost({ cloudId: full.id, name: 'cmp-1', pgpus: [{ ...numbers, address: '0000:18:00.0' }] })
  expect(await getOverview(world.ctx(), { cloud: empty.name })).toMatchObject({
    hosts: 0,
    totals: { pgpus: 0, capacity: 0, lastKnown: null },
    byModel: [],
    attention: [],
  })
})

test('a tenant is refused', async () => {
  await expect(getOverview(world.ctx(TENANT), {})).rejects.toMatchObject({ code: 'forbidden' })
})

test('concurrent requests share one check, and only callers with permission get an answer', async () => {
  const { id: cloudId, name: cloud } = await world.newCloud()
  await storeHost({ cloudId, name: 'cmp-1', seenAt: secondsAgo(3), pgpus: [] })
  const { database, statements } = countingDatabase(world.database(), 'FROM finding')
  const ask = (actor: Actor) => getOverview({ ...world.ctx(actor), database }, { cloud })
  const answers = await Promise.allSettled([ask(READER), ask(TENANT), ask(READER)])
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(statements).toHaveLength(1)
})
