import { beforeAll, expect, test, vi } from 'vitest'
import { changeDetailSchema } from '@/lib/schemas/api/change'
import { verifyAudit } from '@/lib/server/audit/verify-audit'
import { anyRow } from '@/lib/server/testing/any-row'
import { getMarks } from '@/lib/services/capacity/get-marks'
import { getChange } from '@/lib/services/change/get-change'
import { listChanges } from '@/lib/services/change/list-changes'
import { storeFindings } from '@/lib/services/cloud-reading/store-findings'
import { listFindings } from '@/lib/services/finding/list-findings'
import { previewReview } from '@/lib/services/review/preview-review'
import { createServiceWorld, NOW, READER } from '@/lib/services/testing/service-world'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { makePast } from '@/simulator/past/make-past'
import { makePastChanges } from '@/simulator/past/past-changes'
import { makePastFindings, type PastFinding } from '@/simulator/past/past-findings'
import { writePast } from './testing/write-past'
import { writePastEvents } from './testing/write-past-events'

vi.setConfig({ testTimeout: 60_000 })

const CLOUD = { name: 'paris-prod', region: 'RegionOne' }
const HOSTS = ['cmp-r2-06', 'cmp-r2-08', 'cmp-r5-04', 'cmp-r6-05']
const DAYS = 130

const world = createServiceWorld()
const fleet = demoFleet({ seed: 3, startAt: NOW }).filter(({ spec }) => HOSTS.includes(spec.name))
const past = makePast({ fleet, seed: 3, end: NOW, days: DAYS })
const options = { past, fleet, cloud: CLOUD }

let findings: PastFinding[]

beforeAll(async () => {
  const changes = await makePastChanges(options)
  findings = await makePastFindings(options, changes)
  const { cloudId } = await writePast(world.database(), past, CLOUD)
  await writePastEvents(world.database(), { id: cloudId, ...CLOUD }, { changes, findings })
}, 60_000)

const scope = { cloud: CLOUD.name }

test('the chain of the audit holds, in the order of time, and no card is held any more', async () => {
  const { query } = world.database()
  expect(await verifyAudit(query)).toMatchObject({ broken: null })
  const entries = await query(
    'SELECT at, action FROM audit_entry ORDER BY id',
    [],
    anyRow<{ at: Date; action: string }>(),
  )
  expect(entries.map(({ action }) => action)).toContain('change.roll-back')
  expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted((a, b) => +a - +b))
  expect(await query('SELECT 1 FROM change_claim')).toEqual([])
})

test('each change can be read with all of its steps', async () => {
  const { changes } = await listChanges(world.ctx(READER), scope)
  expect(new Set(changes.map(({ kind }) => kind))).toEqual(new Set(['type', 'traits', 'limits']))
  for (const { id, state } of changes) {
    const change = changeDetailSchema.parse(await getChange(world.ctx(READER), { id }))
    const left = change.steps.filter(({ hasEffect }) => hasEffect)
    if (state === 'done')
      expect(change.steps.map((step) => step.state)).toEqual(change.steps.map(() => 'done'))
    else expect([state, left]).toEqual(['undone', []])
    expect(Date.parse(change.endedAt ?? '')).toBeGreaterThan(Date.parse(change.startedAt ?? ''))
  }
})

test('charts have marks for it, and a review lists changes and findings', async () => {
  const { marks } = await getMarks(world.ctx(READER), {
    ...scope,
    from: new Date(past.begin).toISOString(),
    until: NOW.toISOString(),
  })
  expect(marks.map(({ label }) => label).join('; ')).toContain('T4-8Q to T4-4Q on 2 pGPUs of cmp-r2-08')
  const { content } = await previewReview(world.ctx(READER), { ...scope, period: '2026-09' })
  expect(content.done.changes[0]).toMatchObject({
    title: 'T4-8Q to T4-4Q on 2 pGPUs of cmp-r2-08',
    effect: 4,
    isUndone: false,
  })
  expect(content.findings.opened).toBeGreaterThan(0)
  expect(content.stranded.map(({ because }) => because)).not.toContain(null)
  const october = await previewReview(world.ctx(READER), { ...scope, period: '2026-10' })
  expect(october.content.done.changes.map(({ isUndone }) => isUndone)).toContain(true)
})

test('what is still there is open, with the note of the person who knows', async () => {
  const { findings } = await listFindings(world.ctx(READER), scope)
  const known = findings.find(
    ({ code, subject }) =>
      code === 'vgpus-stranded' && subject.kind === 'host' && subject.host === 'cmp-r5-04',
  )
  expect(known).toMatchObject({ state: 'acknowledged' })
  expect(known?.acknowledgement?.note).toContain('wait for the flavor')
  expect(findings.find(({ code }) => code === 'vfs-without-type')).toMatchObject({
    state: 'open',
    subject: { kind: 'pgpu', host: 'cmp-r6-05', address: '0000:e1:00.0' },
    sentence: 'Placement offers 6 VFs, but none has a vGPU type',
  })
})

test('what ended in the past is closed in it, and nothing else', async () => {
  const rows = await world
    .database()
    .query('SELECT key FROM finding WHERE closed_at IS NULL ORDER BY key', [], anyRow<{ key: string }>())
  const keysOf = (some: readonly PastFinding[]) =>
    [...new Set(some.map(({ finding }) => finding.key))].toSorted()
  const left = findings.filter(({ closedAt }) => closedAt === null)
  expect(keysOf(findings).length).toBeGreaterThan(keysOf(left).length)
  expect(rows.map(({ key }) => key).toSorted()).toEqual(keysOf(left))
})

test('a round before the agents report closes nothing of their hosts', async () => {
  const { query } = world.database()
  const open = () => query('SELECT key FROM finding WHERE closed_at IS NULL ORDER BY key')
  const before = await open()
  expect(before.length).toBeGreaterThan(0)
  const [cloud] = await query('SELECT id FROM cloud', [], anyRow<{ id: number }>())
  const detected = { findings: [], unverified: [] }
  const round = { cloudId: cloud?.id ?? 0, detected, at: NOW }
  await storeFindings(world.database(), { ...round, judged: [] })
  expect(await open()).toEqual(before)
  // They report during a round that began without them.
  await query('UPDATE host SET taken_at = $1', [NOW])
  await storeFindings(world.database(), { ...round, judged: [] })
  expect(await open()).toEqual(before)
  const hosts = await query('SELECT name FROM host', [], anyRow<{ name: string }>())
  await storeFindings(world.database(), { ...round, judged: hosts.map(({ name }) => name) })
  expect(await open()).toEqual([])
})
