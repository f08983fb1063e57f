import { describe, expect, test } from 'vitest'
import { findingKey, type Subject } from '@/lib/domain/findings/finding'
import { capacityMarksSchema } from '@/lib/schemas/api/capacity-marks'
import type { Prisma } from '@/lib/server/prisma-client/client'
import { storeFindings } from '@/lib/services/cloud-reading/store-findings'
import { type PgpuRow, writeHost } from '@/lib/services/testing/fleet-rows'
import { createServiceWorld, NOW, READER, TENANT } from '@/lib/services/testing/service-world'
import { getMarks } from './get-marks'

const world = createServiceWorld()
const HOUR = 3_600_000
const hoursAgo = (hours: number): Date => new Date(NOW.getTime() - hours * HOUR)

const WEEK = { from: hoursAgo(168).toISOString() }
const marksOf = async (cloud: string) =>
  capacityMarksSchema.parse(await getMarks(world.ctx(READER), { cloud, ...WEEK }))

const writeChange = (
  cloudId: number,
  change: { title: string; state: string; endedAt: Date | null; preview?: Prisma.InputJsonObject },
) =>
  world.database().prisma.change.create({
    data: {
      cloudId,
      kind: 'type',
      input: {},
      preview: {},
      lastAction: 'start',
      lastBy: 'user:anna',
      lastAt: NOW,
      madeBy: 'user:anna',
      madeAt: hoursAgo(200),
      startedAt: hoursAgo(190),
      ...change,
    },
  })

/** A host with its stretches, the last of which is the present one. */
const writeWatched = async (
  cloudId: number,
  name: string,
  stretches: readonly [Date, Date][],
  pgpus: PgpuRow[] = [],
) => {
  const { query } = world.database()
  const id = await writeHost(world.database(), { cloudId, name, pgpus })
  for (const [index, [since, until]] of stretches.entries())
    await query(
      index === stretches.length - 1
        ? 'UPDATE host SET watched_since = $2, watched_at = $3 WHERE id = $1'
        : `INSERT INTO host_watch (host_id, enrolment, boot, sequence, since, until) VALUES ($1, 1, 1, ${index}, $2, $3)`,
      [id, since, until],
    )
  return id
}

const finding = (host: string, code: string, severity: 'error' | 'warning') => {
  const subject: Subject = { kind: 'pgpu', host, address: '0000:41:00.0' }
  return {
    key: findingKey(code, subject),
    code,
    severity,
    subject,
    sentence: `it has ${code}`,
    consequence: '',
    nextStep: '',
    command: null,
    sourceToCorrect: null,
    evidence: [],
  }
}

test('changes that ended are marked with their number and title, plans and running ones are not', async () => {
  const { id: cloudId, name } = await world.newCloud()
  const done = await writeChange(cloudId, { title: 'T4-16C to T4-8Q', state: 'done', endedAt: hoursAgo(50) })
  const undone = await writeChange(cloudId, { title: 'Traits', state: 'undone', endedAt: hoursAgo(20) })
  await writeChange(cloudId, { title: 'Going', state: 'running', endedAt: null })
  await writeChange(cloudId, { title: 'Long ago', state: 'done', endedAt: hoursAgo(180) })
  expect((await marksOf(name)).marks).toEqual([
    {
      kind: 'change',
      at: hoursAgo(50).toISOString(),
      until: null,
      label: `change ${done.id}: T4-16C to T4-8Q`,
      count: 1,
      of: [{ kind: 'change', id: done.id }],
    },
    expect.objectContaining({ label: `change ${undone.id} rolled back: Traits` }),
  ])
})

test('a host that was silent for hours is marked, one that paused for minutes is not', async () => {
  const { id: cloudId, name } = await world.newCloud()
  const begin = hoursAgo(300)
  await writeWatched(cloudId, 'cmp-1', [
    [begin, hoursAgo(100)],
    [hoursAgo(95), NOW],
  ])
  await writeWatched(cloudId, 'cmp-2', [
    [begin, hoursAgo(70)],
    [hoursAgo(69.9), NOW],
  ])
  await writeWatched(cloudId, 'cmp-3', [[begin, hoursAgo(30)]])
  // The current interval has a second row.
  await writeWatched(cloudId, 'cmp-4', [
    [begin, hoursAgo(60)],
    [begin, NOW],
  ])
  const { marks } = await marksOf(name)
  expect(marks.map(({ kind, label, at, until }) => [kind, label, at, until])).toEqual([
    ['silence', 'cmp-1 silent for 5 h', hoursAgo(100).toISOString(), hoursAgo(95).toISOString()],
    ['silence', 'cmp-3 silent since then', hoursAgo(30).toISOString(), null],
  ])
})

test('VFs that are assigned without a type are marked, as stranded vGPUs are', async () => {
  const { id: cloudId, name } = await world.newCloud()
  const findings = ['vgpus-stranded', 'vfs-without-type'].map((code) => finding('cmp-1', code, 'warning'))
  await storeFindings(world.database(), { cloudId, detected: { findings, unverified: [] }, at: hoursAgo(10) })
  const [mark, ...others] = (await marksOf(name)).marks
  expect([mark?.count, others.map(({ count }) => count)]).toEqual([1, [1]])
})

test('if most hosts are silent at once, the fleet is silent', async () => {
  const { id: cloudId, name } = await world.newCloud()
  for (const host of ['cmp-1', 'cmp-2', 'cmp-3'])
    await writeWatched(cloudId, host, [
      [hoursAgo(300), hoursAgo(100)],
      [hoursAgo(97), NOW],
    ])
  await writeWatched(cloudId, 'cmp-4', [[hoursAgo(300), NOW]])
  expect((await marksOf(name)).marks).toMatchObject([
    { kind: 'fleet-silent', label: 'console without data for up to 3 h: 3 of 4 hosts silent', count: 3 },
  ])
})

test('errors and orphans are marked when they open, and once for those of one code', async () => {
  const { id: cloudId, name } = await world.newCloud()
  const detected = {
    findings: [
      finding('cmp-1', 'restart-would-fail', 'error'),
      finding('cmp-2', 'restart-would-fail', 'error'),
      finding('cmp-1', 'orphan-mdevs', 'warning'),
      finding('cmp-1', 'clock-off', 'warning'),
    ],
    unverified: [],
  }
  await storeFindings(world.database(), { cloudId, detected, at: hoursAgo(10) })
  const { marks } = await marksOf(name)
  expect(marks.map(({ label, count }) => [label, count]).toSorted()).toEqual([
    [expect.stringMatching(/^2 × /), 2],
    ['cmp-1 0000:41:00.0: it has orphan-mdevs', 1],
  ])
})

test('a sentence that begins with its subject is shown unchanged', async () => {
  const { id: cloudId, name } = await world.newCloud()
  const of = (code: string, sentence: string) => ({
    ...finding('', code, 'error'),
    subject: { kind: 'flavor' as const, id: 'f-1', name: 'vgpu.t4-8q' },
    key: code,
    sentence,
  })
  const detected = {
    findings: [
      of('flavor-trait-unknown', 'vgpu.t4-8q requires CUSTOM_T4, which no provider has'),
      of('flavor-suffix', 'the suffix of a group is missing'),
      { ...finding('cmp-1', 'restart-would-fail', 'error'), sentence: 'cmp-1 would not start again' },
    ],
    unverified: [],
  }
  await storeFindings(world.database(), { cloudId, detected, at: hoursAgo(10) })
  const { marks } = await marksOf(name)
  expect(marks.map(({ label }) => label).toSorted()).toEqual([
    'cmp-1 0000:41:00.0: cmp-1 would not start again',
    'vgpu.t4-8q requires CUSTOM_T4, which no provider has',
    'vgpu.t4-8q: the suffix of a group is missing',
  ])
})

test('a finding that comes back is marked again, unless it was gone for minutes or had been acknowledged', async () => {
  const { id: cloudId, name } = await world.newCloud()
  const store = (findings: ReturnType<typeof finding>[], at: Date) =>
    storeFindings(world.database(), { cloudId, detected: { findings, unverified: [] }, at })
  const found = finding('cmp-1', 'orphan-mdevs', 'warning')
  await store([found], hoursAgo(400))
  await store([], hoursAgo(100))
  await store([{ ...found, sentence: 'it has two' }], hoursAgo(90))
  await store([], hoursAgo(50))
  await store([{ ...found, sentence: 'it has three' }], hoursAgo(49.9))
  await world
    .database()
    .query(
      `INSERT INTO finding_event (finding_id, at, kind, actor) SELECT id, $2, 'reopened', 'system' FROM finding WHERE cloud_id = $1`,
      [cloudId, hoursAgo(20)],
    )
  const { marks } = await marksOf(name)
  expect(marks.map(({ at, label }) => [at, label])).toEqual([
    [hoursAgo(90).toISOString(), 'cmp-1 0000:41:00.0: it has two (again)'],
  ])
})

test('a removed host is not named, and others with the same finding still are', async () => {
  const { id: cloudId, name } = await world.newCloud()
  const gone = await writeWatched(cloudId, 'cmp-1', [
    [hoursAgo(300), hoursAgo(100)],
    [hoursAgo(95), hoursAgo(2)],
  ])
  await writeWatched(cloudId, 'cmp-2', [[hoursAgo(300), NOW]])
  const findings = ['cmp-1', 'cmp-2'].map((host) => finding(host, 'restart-would-fail', 'error'))
  const ofCloud = {
    ...finding('', 'flavor-trait-unknown', 'error'),
    subject: { kind: 'flavor' as const, id: 'f-1', name: 'vgpu.t4-8q' },
    key: 'flavor-trait-unknown',
    sentence: 'vgpu.t4-8q requires CUSTOM_T4',
  }
  const detected = { findings: [...findings, ofCloud], unverified: [] }
  await storeFindings(world.database(), { cloudId, detected, at: hoursAgo(10) })
  expect(JSON.stringify(await marksOf(name))).toContain('cmp-1')
  await world.database().prisma.host.update({ where: { id: gone }, data: { removedAt: hoursAgo(1) } })
  const { marks } = await marksOf(name)
  expect(marks.map(({ label }) => label).toSorted()).toEqual([
    'cmp-2 0000:41:00.0: it has restart-would-fail',
    'vgpu.t4-8q requires CUSTOM_T4',
  ])
  expect(JSON.stringify(marks)).not.toContain('cmp-1')
})

describe('a part of the cloud', () => {
  const CARD = '0000:41:00.0'
  const OTHER = '0000:42:00.0'
  const silent = (hours: number): [Date, Date][] => [
    [hoursAgo(300), hoursAgo(hours)],
    [hoursAgo(hours - 5), NOW],
  ]

  /** cmp-1 has a T4 and an A40, cmp-2 an A40; both fall silent, each has a finding, and four changes end. */
  const writeParts = async () => {
    const { id: cloudId, name } = await world.newCloud()
    const { prisma, query } = world.database()
    const typeOf = async (typeId: string) =>
      (await prisma.vgpuType.create({ data: { typeId, hash: `${name} ${typeId}` } })).id
    const [t4, a40] = [await typeOf('nvidia-222'), await typeOf('nvidia-558')]
    const one = await writeWatched(cloudId, 'cmp-1', silent(100), [
      { address: CARD, model: 'Tesla T4', typeId: t4 },
      { address: OTHER, typeId: a40 },
    ])
    await writeWatched(cloudId, 'cmp-2', silent(60), [{ address: CARD, typeId: a40 }])
    for (const idle of ['cmp-3', 'cmp-4', 'cmp-5']) await writeWatched(cloudId, idle, [[hoursAgo(300), NOW]])
    await query(
      `INSERT INTO pgpu_cloud (host_id, address, aggregates, traits) VALUES ($1, $2, '{gpu}', '{}')`,
      [one, CARD],
    )
    await query(
      `INSERT INTO guest_holding (host_id, uuid, name, flavor_name, project_id, addresses, type_ids)
       VALUES ($1, 'u', 'web', 'gpu.small', 'p-1', ARRAY[$2::text], '{}')`,
      [one, CARD],
    )
    const on = (host: string, address: string) => ({ targets: [{ host, address }] })
    const ended = (title: string, hours: number, preview: Prisma.InputJsonObject) =>
      writeChange(cloudId, { title, state: 'done', endedAt: hoursAgo(hours), preview })
    await ended('traits of the T4', 40, on('cmp-1', CARD))
    await ended('from the T4 type', 38, {
      ...on('cmp-2', CARD),
      typeChange: { toTypeId: 'nvidia-558', capacities: [{ typeId: 'nvidia-222' }] },
    })
    await ended('a flavor', 36, { targets: [], flavorChange: { flavors: [{ name: 'gpu.small' }] } })
    // Previews that cannot be read concern nothing.
    await ended('damaged targets', 35, { targets: 'none' })
    await ended('a damaged target', 35, { targets: ['none'], typeChange: 7 })
    await ended('limits', 34, { targets: [], limitChange: { effects: [{ projectId: 'p-1' }] } })
    const detected = {
      findings: [
        finding('cmp-1', 'restart-would-fail', 'error'),
        finding('cmp-2', 'restart-would-fail', 'error'),
      ],
      unverified: [],
    }
    await storeFindings(world.database(), { cloudId, detected, at: hoursAgo(10) })
    return { cloudId, name }
  }

  const SILENT_1 = 'cmp-1 silent for 5 h'
  const SILENT_2 = 'cmp-2 silent for 5 h'
  const FOUND_1 = `cmp-1 ${CARD}: it has restart-would-fail`
  const FOUND_2 = `cmp-2 ${CARD}: it has restart-would-fail`

  test('is marked with what concerns it alone', async () => {
    const { name } = await writeParts()
    const labels = async (scope: Partial<Parameters<typeof getMarks>[1]>) =>
      (await getMarks(world.ctx(READER), { cloud: name, ...WEEK, ...scope })).marks.map(({ label }) =>
        label.replace(/^change \d+: /, ''),
      )
    expect(await labels({ by: 'type', key: 'nvidia-222' })).toEqual([
      SILENT_1,
      'traits of the T4',
      'from the T4 type',
      FOUND_1,
    ])
    expect(await labels({ by: 'type', key: 'nvidia-558' })).toEqual([
      SILENT_1,
      SILENT_2,
      'from the T4 type',
      FOUND_2,
    ])
    expect(await labels({ by: 'model', key: 'Tesla T4' })).toEqual([SILENT_1, 'traits of the T4', FOUND_1])
    expect(await labels({ by: 'aggregate', key: 'gpu' })).toEqual([SILENT_1, 'traits of the T4', FOUND_1])
    expect(await labels({ by: 'flavor', key: 'gpu.small' })).toEqual([
      SILENT_1,
      'traits of the T4',
      'a flavor',
      FOUND_1,
    ])
    expect(await labels({ by: 'project', key: 'p-1' })).toEqual([
      SILENT_1,
      'traits of the T4',
      'limits',
      FOUND_1,
    ])
    expect(await labels({ host: 'cmp-2' })).toEqual([SILENT_2, 'from the T4 type', FOUND_2])
    expect(await labels({ host: 'cmp-1', address: OTHER })).toEqual([SILENT_1])
    expect(await labels({ by: 'type', key: 'no type yet' })).toEqual([])
    await expect(labels({ host: 'cmp-9' })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('the silence of all hosts in a part of the cloud does not mean that the fleet is silent', async () => {
    const { id: cloudId, name } = await world.newCloud()
    const card = { address: CARD, model: 'Tesla T4' }
    for (const host of ['cmp-1', 'cmp-2']) await writeWatched(cloudId, host, silent(100), [card])
    for (const host of ['cmp-3', 'cmp-4']) await writeWatched(cloudId, host, [[hoursAgo(300), NOW]])
    const ask = async () =>
      (await getMarks(world.ctx(READER), { cloud: name, ...WEEK, by: 'model', key: 'Tesla T4' })).marks
    expect(await ask()).toMatchObject([{ kind: 'silence', label: '2 hosts silent for up to 5 h' }])
    await writeWatched(cloudId, 'cmp-5', silent(100))
    expect(await ask()).toMatchObject([
      { kind: 'fleet-silent', label: 'console without data for up to 5 h: 3 of 5 hosts silent', count: 2 },
    ])
  })
})

test('is for those who may see the fleet', async () => {
  const { name } = await world.newCloud()
  await expect(getMarks(world.ctx(TENANT), { cloud: name })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(
    getMarks(world.ctx(), { cloud: name, from: NOW.toISOString(), until: hoursAgo(1).toISOString() }),
  ).rejects.toMatchObject({ code: 'validation', field: 'from' })
})
