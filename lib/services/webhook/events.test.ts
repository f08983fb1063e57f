import { expect, test } from 'vitest'
import { type Finding, findingKey, type Subject } from '@/lib/domain/findings/finding'
import { DAY_MS } from '@/lib/domain/history/series'
import type { ChangeState } from '@/lib/schemas/states'
import { anyRow } from '@/lib/server/testing/any-row'
import { actOnChange } from '@/lib/services/change/act-on-change'
import { lockChange } from '@/lib/services/change/change-rows'
import { endChange } from '@/lib/services/change/end-change'
import { storeFindings } from '@/lib/services/cloud-reading/store-findings'
import { acknowledgeFinding } from '@/lib/services/finding/acknowledge-finding'
import { closeHostFindings } from '@/lib/services/finding/close-host-findings'
import { muteFindings, unmuteFindings } from '@/lib/services/finding/mute-findings'
import { writeDays } from '@/lib/services/forecast/testing/write-days'
import { addType, writeHost } from '@/lib/services/testing/fleet-rows'
import { watchForecasts } from './start-exhaustion-watch'
import { createWebhookWorld } from './testing/webhook-world'
import { watchExhaustion } from './watch-exhaustion'

const world = createWebhookWorld()
const ADDRESS = 'https://hooks.example.org/x'

const finding = (host: string, severity: Finding['severity'] = 'warning'): Finding => {
  const subject: Subject = { kind: 'host', host }
  return {
    ...{ key: findingKey('orphan-mdevs', subject), code: 'orphan-mdevs', severity, subject },
    ...{ sentence: 'the driver is another one', consequence: 'It may fail.', nextStep: 'Update it.' },
    ...{ command: null, sourceToCorrect: null, evidence: [] },
  }
}
const detect = (cloudId: number, findings: Finding[]) =>
  storeFindings(world.database(), { cloudId, detected: { findings, unverified: [] }, at: world.ctx().now() })

const events = async (webhookId: number) => (await world.rows(webhookId)).map(({ event }) => event)

test('one round is one message for each webhook, of what it wants', async () => {
  const cloud = await world.newCloud()
  const all = await world.add(cloud.name, { address: ADDRESS, name: 'all', findingSeverity: 'info' })
  const errors = await world.add(cloud.name, { address: ADDRESS, name: 'errors', findingSeverity: 'error' })
  const none = await world.add(cloud.name, { address: ADDRESS, name: 'none', findingSeverity: null })
  await detect(cloud.id, [finding('cmp-1'), finding('cmp-2', 'error'), finding('cmp-3', 'info')])
  await detect(cloud.id, [finding('cmp-1'), finding('cmp-2', 'error'), finding('cmp-3', 'info')])
  expect(await events(all.id)).toMatchObject([
    {
      counts: { opened: 3 },
      findings: [{ severity: 'error' }, { severity: 'warning' }, { severity: 'info' }],
    },
  ])
  expect(await events(errors.id)).toMatchObject([
    {
      event: 'findings.changed',
      cloud: cloud.name,
      findings: [{ change: 'opened', subject: { host: 'cmp-2' } }],
    },
  ])
  expect(await events(none.id)).toEqual([])
  await detect(cloud.id, [finding('cmp-1')])
  expect((await events(all.id)).at(-1)).toMatchObject({ counts: { opened: 0, closed: 2 } })
  expect((await events(errors.id)).at(-1)).toMatchObject({ findings: [{ change: 'closed' }], more: 0 })
  const [{ id = 0 } = {}] = await world
    .database()
    .query(
      "SELECT id FROM finding WHERE cloud_id = $1 AND host = 'cmp-2'",
      [cloud.id],
      anyRow<{ id: number }>(),
    )
  expect((await events(errors.id)).at(-1)).toMatchObject({ findings: [{ id }] })
})

test('a message is there with the finding or not at all', async () => {
  const cloud = await world.newCloud()
  const { id } = await world.add(cloud.name, { address: ADDRESS })
  const database = world.database()
  const breaks = {
    ...database,
    transaction: <T>(work: Parameters<typeof database.transaction<T>>[0]) =>
      database.transaction<T>(async (connection) => {
        await work(connection)
        throw new Error('killed')
      }),
  }
  const detected = { findings: [finding('cmp-1')], unverified: [] }
  await expect(storeFindings(breaks, { cloudId: cloud.id, detected, at: world.ctx().now() })).rejects.toThrow(
    'killed',
  )
  expect(await events(id)).toEqual([])
  await detect(cloud.id, [finding('cmp-1')])
  expect(await events(id)).toMatchObject([{ counts: { opened: 1 } }])
})

test('an acknowledged finding that is reopened sends no message', async () => {
  const cloud = await world.newCloud()
  const { id } = await world.add(cloud.name, { address: ADDRESS })
  await detect(cloud.id, [finding('cmp-1')])
  const [row] = await world
    .database()
    .query('SELECT id FROM finding WHERE cloud_id = $1', [cloud.id], anyRow<{ id: number }>())
  await acknowledgeFinding(world.ctx(), { id: row?.id ?? 0, body: { note: 'known', days: 30 } })
  await detect(cloud.id, [])
  await detect(cloud.id, [finding('cmp-1')])
  expect((await events(id)).map((event) => 'counts' in event && event.counts)).toEqual([
    { opened: 1, reopened: 0, closed: 0 },
    { opened: 0, reopened: 0, closed: 1 },
  ])
})

test('findings of a muted kind send no message until the mute ends', async () => {
  const cloud = await world.newCloud()
  const { id } = await world.add(cloud.name, { address: ADDRESS })
  const scope = { cloud: cloud.name, code: 'orphan-mdevs' }
  await muteFindings(world.ctx(), { ...scope, body: { note: 'known', days: 30 } })
  await detect(cloud.id, [finding('cmp-1')])
  await detect(cloud.id, [])
  await detect(cloud.id, [finding('cmp-1')])
  expect(await events(id)).toEqual([])
  await unmuteFindings(world.ctx(), scope)
  await detect(cloud.id, [finding('cmp-1'), finding('cmp-2')])
  expect(await events(id)).toMatchObject([{ counts: { opened: 1, reopened: 0, closed: 0 } }])
})

test('a removed host sends no message of its findings of a muted kind', async () => {
  const cloud = await world.newCloud()
  const { id } = await world.add(cloud.name, { address: ADDRESS })
  const scope = { cloud: cloud.name, code: 'orphan-mdevs' }
  await muteFindings(world.ctx(), { ...scope, body: { note: 'known', days: 30 } })
  await detect(cloud.id, [finding('cmp-1'), finding('cmp-2')])
  const close = (host: string) =>
    closeHostFindings(world.database().query, {
      cloudId: cloud.id,
      host,
      at: world.ctx().now(),
      actor: 'user:anna',
      note: 'removed',
    })
  expect(await close('cmp-1')).toBe(1)
  expect(await events(id)).toEqual([])
  await unmuteFindings(world.ctx(), scope)
  expect(await close('cmp-2')).toBe(1)
  expect(await events(id)).toMatchObject([{ counts: { closed: 1 } }])
})

const addChange = async (cloudId: number, state: ChangeState): Promise<number> => {
  const [row] = await world.database().query(
    `INSERT INTO change (cloud_id, kind, title, input, preview, state, last_action, last_by, last_at, made_by, made_at, run_by)
     VALUES ($1, 'traits', 'Traits of 3 pGPUs', '{}', '{}', $2, 'start', 'user:anna', $3, 'user:anna', $3, 'user:anna')
     RETURNING id`,
    [cloudId, state, world.ctx().now()],
    anyRow<{ id: number }>(),
  )
  return row?.id ?? 0
}
const end = (id: number, event: 'finish' | 'fail', stopReason: string | null = null) =>
  world.database().transaction(async (connection) => {
    const change = await lockChange(connection, id)
    if (change === undefined) throw new Error('no such change')
    await endChange(connection, {
      change,
      event,
      at: world.ctx().now(),
      actor: { kind: 'system' },
      stopReason,
    })
  })

test('a change that ends or stops sends one message with the reason; others send none', async () => {
  const cloud = await world.newCloud()
  const { id } = await world.add(cloud.name, { address: ADDRESS })
  const other = await world.add(cloud.name, { address: ADDRESS, name: 'other', wantsChanges: false })
  const done = await addChange(cloud.id, 'running')
  await end(done, 'finish')
  await end(done, 'finish')
  await end(await addChange(cloud.id, 'undoing'), 'finish')
  await end(await addChange(cloud.id, 'running'), 'fail', 'Placement refused it.')
  const byHand = await addChange(cloud.id, 'running')
  await actOnChange(world.ctx(), { id: byHand, body: { action: 'stop', version: 1 } })
  const dropped = await addChange(cloud.id, 'planned')
  await actOnChange(world.ctx(), { id: dropped, body: { action: 'drop', version: 1 } })
  expect(await events(id)).toMatchObject([
    { event: 'change.finished', change: { id: done, state: 'done', by: 'user:anna', reason: null } },
    { event: 'change.finished', change: { state: 'undone' } },
    { event: 'change.stopped', change: { state: 'stopped', reason: 'Placement refused it.' } },
    { event: 'change.stopped', change: { id: byHand, by: 'user:local-admin', reason: null } },
  ])
  expect(await events(other.id)).toEqual([])
})

/** The fleet is cached per database for a moment of real time, so each check uses a separate database. */
const watch = () => {
  const ctx = world.ctx({ kind: 'system' })
  return watchExhaustion({ ...ctx, database: { ...ctx.database } })
}

const A40 = { typeId: 'nvidia-563', name: 'NVIDIA A40-24Q', maxInstance: 2, framebufferMib: 24_576 }

test('a type that runs out is reported once after ten minutes, and once when it is over', async () => {
  const cloud = await world.newCloud()
  const { id } = await world.add(cloud.name, { address: ADDRESS })
  const none = await world.add(cloud.name, { address: ADDRESS, name: 'none', wantsExhaustion: false })
  const type = await addType(world.database(), A40)
  const look = async (used: number, minutes: number) => {
    const pgpus = [
      {
        address: '0000:41:00.0',
        ...type,
        capacity: 2,
        used,
        spare: 0,
        orphan: 0,
        returning: 0,
        creatable: 2 - used,
      },
    ]
    await writeHost(world.database(), { cloudId: cloud.id, name: 'cmp-1', seenAt: world.ctx().now(), pgpus })
    await watch()
    world.later(minutes * 60)
  }
  await look(1, 1)
  const since = world.ctx().now().toISOString()
  await look(2, 9)
  await look(2, 1)
  expect(await events(id)).toEqual([])
  await look(2, 60)
  await look(2, 1)
  expect(await events(id)).toMatchObject([
    { event: 'exhaustion.begun', type: { id: 'nvidia-563', name: 'A40-24Q' }, since, capacity: 2, used: 2 },
  ])
  const endedAt = world.ctx().now().toISOString()
  await look(1, 10)
  await look(1, 1)
  await look(1, 30)
  expect((await events(id)).slice(1)).toMatchObject([
    { event: 'exhaustion.ended', since, endedAt, because: 'free' },
  ])
  expect(await events(none.id)).toEqual([])
})

test('a silent host makes it unknown, and without a webhook nothing is stored', async () => {
  const cloud = await world.newCloud()
  const { id } = await world.add(cloud.name, { address: ADDRESS })
  const type = await addType(world.database(), { ...A40, typeId: 'nvidia-564' })
  const pgpus = [
    {
      address: '0000:41:00.0',
      ...type,
      capacity: 2,
      used: 2,
      spare: 0,
      orphan: 0,
      returning: 0,
      creatable: 0,
    },
  ]
  await writeHost(world.database(), { cloudId: cloud.id, name: 'cmp-1', seenAt: world.ctx().now(), pgpus })
  const exhaustions = () => world.database().query('SELECT 1 FROM exhaustion WHERE cloud_id = $1', [cloud.id])
  await watch()
  expect(await exhaustions()).toHaveLength(1)
  world.later(3600)
  await watch()
  expect(await exhaustions()).toHaveLength(0)
  expect(await events(id)).toEqual([])
  await writeHost(world.database(), { cloudId: cloud.id, name: 'cmp-1', seenAt: world.ctx().now(), pgpus })
  await watch()
  expect(await exhaustions()).toHaveLength(1)
  await world.database().query('UPDATE webhook SET is_enabled = false WHERE id = $1', [id])
  await watch()
  expect(await exhaustions()).toHaveLength(0)
})

test('what is likely to be full within 30 days is reported once, by type and by aggregate', async () => {
  const cloud = await world.newCloud()
  const { id } = await world.add(cloud.name, { address: ADDRESS })
  const today = Math.floor(world.ctx().now().getTime() / DAY_MS) * DAY_MS
  const growing = (capacity: number) =>
    Array.from({ length: 200 }, (_, index) => ({ used: 10 + Math.floor(index / 5), capacity }))
  await writeDays(world.database(), {
    cloudId: cloud.id,
    from: today - 200 * DAY_MS,
    until: world.ctx().now().getTime(),
    groups: [
      { dimension: 'all', key: '', days: growing(200) },
      // Five days for each vGPU: 54 are used in 20 days, 80 in 150.
      { dimension: 'type', key: 'soon', days: growing(54) },
      { dimension: 'type', key: 'late', days: growing(80) },
      { dimension: 'aggregate', key: 'gpu', days: growing(54) },
    ],
  })
  const system = world.ctx({ kind: 'system' })
  const seen = new Map<number, string>()
  await watchForecasts(system, seen)
  await watchForecasts(system, seen)
  await watchForecasts(system, new Map())
  const sent = await events(id)
  expect(sent).toMatchObject([
    {
      event: 'exhaustion.expected',
      group: { by: 'type', key: 'soon', label: 'SOON' },
      capacity: 54,
      used: 49,
    },
    { event: 'exhaustion.expected', group: { by: 'aggregate', key: 'gpu' } },
  ])
  for (const event of sent)
    if (event.event === 'exhaustion.expected') {
      expect(event.likely > '2026-12-01').toBe(true)
      expect(event.likely <= '2026-12-21').toBe(true)
    }
})
