import { beforeAll, expect, test, vi } from 'vitest'
import { reviewSchema } from '@/lib/schemas/api/review'
import type { Actor, ServiceContext } from '@/lib/server/context/service-context'
import type { Database } from '@/lib/server/database/database'
import { createTestContext, createTestDatabase } from '@/lib/server/testing/test-database'
import { removeHosts } from '@/lib/services/host/remove-hosts'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import { createServiceWorld, READER, TENANT } from '@/lib/services/testing/service-world'
import { computeReview } from './compute-review'
import { exportReview } from './export-review'
import { findScope } from './find-scope'
import { getReview } from './get-review'
import { listReviews } from './list-reviews'
import { makeReview } from './make-review'
import { previewReview } from './preview-review'
import { freezeContent } from './review-rows'
import { makeDueReviews } from './start-reviews'
import { type ReviewWorld, writeReviewWorld } from './testing/review-world'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const world = createServiceWorld()
const CLOUD = 'paris'
const at = (text: string): Date => new Date(`2026-${text}Z`)
const CLOSED = at('12-02T00:00')
const NOVEMBER = { cloud: CLOUD, period: '2026-11' }

let november: ReviewWorld

const ctxAt = (now: Date, actor?: Actor, database = world.database()): ServiceContext =>
  createTestContext({ database, now: () => now, ...(actor === undefined ? {} : { actor }) })

const writeNovember = async (database: Database): Promise<ReviewWorld> => {
  const written = await writeReviewWorld(database, CLOUD)
  await written.rollUpTo(at('12-01T00:30'))
  return written
}

/** The bytes that a review of November would have if it were made now. */
const computed = async (database = world.database()): Promise<string> => {
  const scope = await findScope(ctxAt(at('12-20T00:00'), undefined, database), NOVEMBER)
  const content = await computeReview(database.query, { ...scope, knownUntil: scope.period.until })
  return freezeContent(content).text
}

const storedText = async (id: number): Promise<string> =>
  (await exportReview(ctxAt(CLOSED), { id, format: 'json' })).text

beforeAll(async () => {
  november = await writeNovember(world.database())
})

test('before it has closed there is a preview and nothing is frozen', async () => {
  const settling = ctxAt(at('12-01T12:00'))
  const preview = await previewReview(settling, NOVEMBER)
  expect(reviewSchema.parse(preview)).toEqual(preview)
  expect(preview).toMatchObject({ frozen: null, closesAt: CLOSED.toISOString() })
  await expect(makeReview(settling, NOVEMBER)).rejects.toMatchObject({ code: 'precondition' })
  expect(await makeDueReviews(ctxAt(at('12-01T12:00'), { kind: 'system' }))).toBe(1)
  const open = await previewReview(settling, { ...NOVEMBER, period: '2026-Q4' })
  expect(open.content.period).toMatchObject({ knownUntil: '2026-12-01T00:00:00.000Z' })
})

test('of two who freeze it at once both get the same one, which the audit names once', async () => {
  const [one, two] = await Promise.all([
    makeReview(ctxAt(CLOSED), NOVEMBER),
    makeReview(ctxAt(CLOSED), NOVEMBER),
  ])
  expect(reviewSchema.parse(one)).toEqual(one)
  expect(two).toEqual(one)
  expect(one.frozen).toMatchObject({ madeAt: CLOSED.toISOString(), madeBy: 'user:local-admin' })
  expect(one.content).toMatchObject({
    period: { from: '2026-11-01T00:00:00.000Z', until: '2026-12-01T00:00:00.000Z', timeZone: 'UTC' },
    hours: { whole: 720, watched: 720 },
    before: { capacity: 33, used: 5, orphan: 2, lastKnown: null, stranded: null },
    end: { capacity: 33, used: 13, orphan: 2, lastKnown: { hosts: 1, capacity: 1, used: 0 }, stranded: 1 },
    peak: { used: 13, capacity: 32, at: '2026-11-29T00:00:00.000Z' },
    stranded: [{ because: 'no flavor requests them', vgpus: 1, hosts: 1 }],
    types: {
      rows: [
        { label: 'A40-24Q', used: 2, capacity: 2 },
        { label: 'A40-4Q', used: 11, capacity: 24 },
        { label: 'A40-8Q', used: 0, capacity: 6 },
        { label: 'T4-16C', used: 0, capacity: 1 },
      ],
      others: 0,
    },
    projects: {
      rows: [
        { label: 'Alpha', before: 4.4, after: 10.1 },
        { label: 'Beta', before: 3, after: 1 },
      ],
    },
    refused: {
      servers: 4,
      groups: [
        { flavor: 'vgpu.large', reason: 'no-valid-host', servers: 3 },
        { flavor: null, reason: 'over-limit', servers: 1 },
      ],
      types: {
        rows: [
          { label: 'A40-4Q', servers: 3 },
          { label: null, servers: 1 },
        ],
        others: 0,
      },
    },
    done: {
      changes: [
        { id: expect.any(Number), title: '2 A40 to A40-4Q', isUndone: false, effect: 8 },
        { id: expect.any(Number), title: 'Remove orphan mdevs', isUndone: false, effect: null },
      ],
      orphans: { mdevs: 1, hosts: 1 },
    },
    findings: {
      opened: 3,
      closed: 1,
      open: { error: 1, warning: 1, info: 0 },
      rows: [
        { severity: 'error', sentence: 'cmp-1: nova-compute would not start' },
        { severity: 'warning', sentence: 'as it was told of cmp-2 in November' },
      ],
    },
  })
  expect(one.content.done.silent).toEqual([
    { host: 'cmp-3', from: '2026-11-28T00:00:00.000Z', until: null },
    { host: 'cmp-2', from: '2026-11-17T08:00:00.000Z', until: '2026-11-17T17:00:00.000Z' },
  ])
  expect(one.content.help).toEqual([
    {
      sentence: expect.stringContaining('1 unused card of the same model from A40-8Q to A40-24Q'),
      effect: '+2',
    },
    { sentence: expect.stringContaining('Remove orphaned mdevs on 1 host'), effect: '+2' },
    { sentence: 'Create a flavor for free vGPUs that no flavor requests, on cmp-1.', effect: '+1' },
    {
      sentence:
        'Add capacity for vgpu.large, or find out why it cannot use free vGPUs. There was no valid host for 3 servers.',
      effect: null,
    },
  ])
  expect(one.content).toMatchObject({ utilisation: { isKnown: false }, idle: { isKnown: false } })
  expect(one.content.types.rows[0]?.full).toEqual({ kind: 'full', since: '2026-10-20' })
  const chart = one.content.chart
  expect(chart.used).toHaveLength(720)
  expect(Math.max(...chart.used.map(Number))).toBe(13)
  expect(chart.marks.map(({ at: moment, label }) => [moment.slice(0, 10), label.split(':')[0]])).toEqual([
    ['2026-11-17', 'cmp-2 silent'],
    ['2026-11-25', expect.stringMatching(/^change \d+$/)],
    ['2026-11-26', expect.stringMatching(/^change \d+$/)],
    ['2026-11-28', 'cmp-3 silent'],
  ])
  const entries = await world
    .database()
    .query(`SELECT subject FROM audit_entry WHERE action = 'review.make' AND actor <> 'system'`)
  expect(entries).toEqual([{ subject: `review:${one.frozen?.id}` }])
})

test('after more data, on another console and recreated, November has the same bytes', async () => {
  const { frozen } = await makeReview(ctxAt(CLOSED), NOVEMBER)
  const id = frozen?.id ?? 0
  const text = await storedText(id)
  expect(await computed()).toBe(text)
  const { query } = world.database()
  await november.goOn()
  await november.rollUpTo(at('12-04T00:00'))
  // The current state differs from the state in the period.
  await query(`UPDATE finding SET severity = 'info', closed_at = $1, body = '{"sentence": "other words"}'`, [
    at('12-04T00:00'),
  ])
  await query(`INSERT INTO finding_event (finding_id, at, kind, actor, severity, sentence)
    SELECT id, '2026-12-04T00:00:00Z', 'closed', 'system', 'info', 'other words' FROM finding`)
  await query(`UPDATE change SET state = 'undone', ended_at = '2026-12-04T00:00:00Z'`)
  await query(
    `INSERT INTO audit_entry (at, cloud, actor, action, subject, after, prev_hash, hash)
    SELECT '2026-12-04T00:00:00Z', $1, 'system', 'change.finish', 'change:' || id, '{"state": "undone"}', 'x', 'x' || id FROM change`,
    [CLOUD],
  )
  await query(
    `INSERT INTO refused_server (cloud_id, uuid, at, project_id, flavor_name, reason, said)
    VALUES ($1, 'later', '2026-12-02T00:00:00Z', 'p1', 'vgpu.large', 'no-valid-host', 'No valid host')`,
    [november.cloudId],
  )
  await query(`UPDATE roll_up_label SET label = 'Renamed' WHERE dimension = 'project'`)
  await removeHosts(ctxAt(at('12-05T00:00')), {
    cloud: CLOUD,
    hosts: ['cmp-1', 'cmp-3'],
    reason: 'scrapped',
    force: true,
  })
  expect(await computed()).toBe(text)
  expect(await makeReview(ctxAt(at('12-20T00:00')), NOVEMBER)).toEqual(await getReview(ctxAt(CLOSED), { id }))
  expect(await storedText(id)).toBe(text)
})

test('another database with the same history gives the same fingerprint, and one server more another', async () => {
  const { frozen } = await makeReview(ctxAt(CLOSED), NOVEMBER)
  const database = await createTestDatabase()
  try {
    // Ids are others.
    await addCloud(database, 'amsterdam')
    await writeReviewWorld(database, 'berlin')
    const { cloudId } = await writeNovember(database)
    const text = await computed(database)
    const normalized = (content: string) => content.replaceAll(/change \d+|"id":\d+/g, 'change')
    expect(normalized(text)).toBe(normalized(await storedText(frozen?.id ?? 0)))
    await database.query(
      `INSERT INTO refused_server (cloud_id, uuid, at, project_id, flavor_name, reason, said)
      VALUES ($1, 'one more', '2026-11-30T23:59:59.999Z', 'p1', 'vgpu.large', 'no-valid-host', 'No valid host')`,
      [cloudId],
    )
    const other = await computed(database)
    expect(JSON.parse(other).refused.servers).toBe(5)
    expect(freezeContent(JSON.parse(other)).fingerprint).not.toBe(freezeContent(JSON.parse(text)).fingerprint)
  } finally {
    await database.close()
  }
})

test('what is frozen can be neither changed nor taken away', async () => {
  const { query } = world.database()
  const { frozen } = await makeReview(ctxAt(CLOSED), NOVEMBER)
  for (const sql of [`UPDATE review SET content = '{}'`, 'DELETE FROM review', 'TRUNCATE review'])
    await expect(query(sql), sql).rejects.toThrow(/append-only/)
  expect((await getReview(ctxAt(CLOSED), { id: frozen?.id ?? 0 })).frozen).toEqual(frozen)
  await expect(getReview(ctxAt(CLOSED), { id: 9999 })).rejects.toMatchObject({ code: 'not_found' })
})

test('what comes late waits to be worked in before anything is frozen', async () => {
  const { query } = world.database()
  const part = { ...NOVEMBER, by: 'model' as const, key: 'NVIDIA A40' }
  await query('INSERT INTO roll_up_mark (cloud_id, at) VALUES ($1, $2)', [
    november.cloudId,
    at('11-25T00:00'),
  ])
  await expect(makeReview(ctxAt(CLOSED), part)).rejects.toMatchObject({ code: 'unavailable' })
  await query('DELETE FROM roll_up_mark WHERE cloud_id = $1', [november.cloudId])
  const { content } = await makeReview(ctxAt(CLOSED), part)
  expect(content).toMatchObject({ filter: { label: 'NVIDIA A40' }, end: { capacity: 32, lastKnown: null } })
  const type = await makeReview(ctxAt(CLOSED), { ...NOVEMBER, by: 'type', key: 'nvidia-222' })
  expect(type.content.filter.label).toBe('A40-4Q')
  expect(type.content.peak).toMatchObject({ used: 11, capacity: 24 })
})

test('in another zone the month has other hours, and half-hour zones lose none', async () => {
  const zone = 'Asia/Kolkata'
  const { content } = await makeReview(ctxAt(CLOSED), { ...NOVEMBER, zone })
  expect(content.period).toMatchObject({ from: '2026-10-31T18:30:00.000Z', timeZone: zone })
  expect(content.chart.from).toBe('2026-10-31T19:00:00.000Z')
  expect(content.hours.whole).toBe(720)
  const { periods } = await listReviews(ctxAt(CLOSED, READER), { cloud: CLOUD, zone })
  expect(periods.map(({ name, reviews }) => [name, reviews.length])).toEqual([
    ['2026-Q4', 0],
    ['2026-12', 0],
    ['2026-11', 1],
    ['2026-10', 0],
  ])
})

test('the console freezes automatically what has closed, once', async () => {
  const january = ctxAt(at('12-31T00:00'), { kind: 'system' })
  await november.rollUpTo(at('12-31T00:00'))
  expect(await makeDueReviews(january)).toBe(0)
  await expect(makeReview(january, { cloud: CLOUD, period: '2026-Q4' })).rejects.toMatchObject({
    code: 'precondition',
  })
  const later = new Date('2027-01-02T00:00:00Z')
  await november.rollUpTo(later)
  expect(await makeDueReviews(ctxAt(later, { kind: 'system' }), { max: 1 })).toBe(1)
  expect(await makeDueReviews(ctxAt(later, { kind: 'system' }))).toBe(1)
  expect(await makeDueReviews(ctxAt(later, { kind: 'system' }))).toBe(0)
  const { periods } = await listReviews(ctxAt(later, READER), { cloud: CLOUD })
  const quarter = periods.find(({ name }) => name === '2026-Q4')?.reviews[0]
  expect(quarter?.madeBy).toBe('system')
  const { content } = await getReview(ctxAt(later, READER), { id: quarter?.id ?? 0 })
  expect(content.chart).toMatchObject({ stepSeconds: 3 * 3600 })
  expect(content.chart.used).toHaveLength(736)
})

test('readers can view reviews and admins freeze them; tenants see nothing, and an invalid period is refused', async () => {
  const reader = ctxAt(CLOSED, READER)
  await expect(makeReview(reader, NOVEMBER)).rejects.toMatchObject({ code: 'forbidden' })
  expect((await previewReview(reader, NOVEMBER)).frozen).toBeNull()
  const tenant = ctxAt(CLOSED, TENANT)
  const refused = { code: 'forbidden' }
  await expect(listReviews(tenant, { cloud: CLOUD })).rejects.toMatchObject(refused)
  await expect(getReview(tenant, { id: 1 })).rejects.toMatchObject(refused)
  await expect(previewReview(tenant, NOVEMBER)).rejects.toMatchObject(refused)
  await expect(exportReview(tenant, { id: 1, format: 'csv' })).rejects.toMatchObject(refused)
  await expect(makeReview(tenant, NOVEMBER)).rejects.toMatchObject(refused)
  for (const [scope, field] of [
    [{ period: 'November' }, 'period'],
    [{ period: '2026-09' }, 'period'],
    [{ period: '2027-03' }, 'period'],
    [{ period: '2026-11', zone: 'Paris' }, 'zone'],
    [{ period: '2026-11', key: 'x' }, 'key'],
  ] as const)
    await expect(makeReview(ctxAt(CLOSED), { cloud: CLOUD, ...scope })).rejects.toMatchObject({
      code: 'validation',
      field,
    })
})

test('as a table a gap is an empty field', async () => {
  const { frozen } = await makeReview(ctxAt(CLOSED), NOVEMBER)
  const { name, text } = await exportReview(ctxAt(CLOSED, READER), { id: frozen?.id ?? 0, format: 'csv' })
  const lines = text.split('\r\n')
  expect(name).toBe('sliceboard-paris-review-2026-11.csv')
  expect(lines).toContain('at the end,capacity,2026-12-01T00:00:00.000Z,33,')
  expect(lines).toContain('chart,used peak,2026-11-05T00:00:00.000Z,7,')
  const october = (await listReviews(ctxAt(CLOSED), { cloud: CLOUD })).periods.find(
    ({ name: of }) => of === '2026-10',
  )
  const id = october?.reviews[0]?.id ?? 0
  const { text: partly } = await exportReview(ctxAt(CLOSED, READER), { id, format: 'csv' })
  expect(partly.split('\r\n')).toContain('chart,used peak,2026-10-05T00:00:00.000Z,,')
})
