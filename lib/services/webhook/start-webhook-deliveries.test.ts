import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { webhookBodySchema } from '@/lib/schemas/webhook/webhook-event'
import { anyRow } from '@/lib/server/testing/any-row'
import { sendAgain } from './send-again'
import { deliverNext, keepLog } from './start-webhook-deliveries'
import { createWebhookWorld } from './testing/webhook-world'
import { updateWebhook } from './update-webhook'

const world = createWebhookWorld()

const titlesOf = (calls: readonly { body: string }[]): string[] =>
  calls.map(({ body }) => JSON.parse(body).change.title)

const opened = async (...answers: Parameters<typeof world.receive>) => {
  const cloud = await world.newCloud()
  const receiver = await world.receive(...answers)
  const { id, secret } = await world.add(cloud.name, { address: receiver.address })
  return { cloud, receiver, id, secret }
}

test('a message arrives once, signed over its time and body', async () => {
  const { receiver, id, secret } = await opened(200)
  await world.queue(id, 'one')
  await world.deliver(id)
  await world.deliver(id)
  expect(receiver.calls).toHaveLength(1)
  const [call] = receiver.calls
  const [, seconds, mac] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(call?.headers['sliceboard-signature'])) ?? []
  expect(Number(seconds)).toBe(Math.floor(world.ctx().now().getTime() / 1000))
  expect(mac).toBe(createHmac('sha256', secret).update(`${seconds}.${call?.body}`).digest('hex'))
  const body = webhookBodySchema.parse(JSON.parse(call?.body ?? ''))
  expect(body).toMatchObject({ version: 1, event: 'change.finished', url: null })
  expect(call?.headers).toMatchObject({ 'sliceboard-event': 'change.finished', 'sliceboard-id': body.id })
  expect(await world.rows(id)).toMatchObject([{ state: 'taken', tries: 1, status: 200, failure: null }])
})

test('a refused message is retried with the same id and growing delays, and a redirect is not followed', async () => {
  const { receiver, id } = await opened(503, { status: 302, headers: { location: '/elsewhere' } }, 204)
  await world.queue(id, 'one')
  await world.deliver(id)
  world.later(4)
  await world.deliver(id)
  expect(receiver.calls).toHaveLength(1)
  expect(await world.rows(id)).toMatchObject([{ state: 'waiting', tries: 1, failure: 'it answers 503' }])
  world.later(1)
  await world.deliver(id)
  expect(receiver.calls).toHaveLength(2)
  expect(await world.rows(id)).toMatchObject([
    { tries: 2, failure: 'it answers with a redirect (302), which is not followed' },
  ])
  world.later(9)
  await world.deliver(id)
  expect(receiver.calls).toHaveLength(2)
  world.later(1)
  await world.deliver(id)
  expect(receiver.calls).toHaveLength(3)
  expect(new Set(receiver.ids()).size).toBe(1)
  expect(await world.rows(id)).toMatchObject([{ state: 'taken', tries: 3, failure: null }])
})

test('Retry-After is obeyed', async () => {
  const { receiver, id } = await opened({ status: 429, headers: { 'retry-after': '90' } }, 200)
  await world.queue(id, 'one')
  await world.deliver(id)
  world.later(89)
  await world.deliver(id)
  expect(receiver.calls).toHaveLength(1)
  world.later(1)
  await world.deliver(id)
  expect(receiver.calls).toHaveLength(2)
})

test('messages keep their order: later ones wait for one that fails, and come after it', async () => {
  const { receiver, id } = await opened(500, 200)
  for (const title of ['one', 'two', 'three']) await world.queue(id, title)
  await world.deliver(id)
  await world.deliver(id)
  expect(titlesOf(receiver.calls)).toEqual(['one'])
  world.later(5)
  await world.deliver(id)
  expect(titlesOf(receiver.calls)).toEqual(['one', 'one', 'two', 'three'])
})

test('a receiver that hangs delays no other', async () => {
  let hanging: ServerResponse | null = null
  const slow = await opened((res) => {
    hanging = res
  })
  const quick = await opened(200)
  await world.queue(slow.id, 'slow')
  await world.queue(quick.id, 'quick')
  expect(await world.due()).toEqual(expect.arrayContaining([slow.id, quick.id]))
  const held = world.deliver(slow.id)
  await expect.poll(() => slow.receiver.calls.length).toBe(1)
  await world.deliver(quick.id)
  expect(titlesOf(quick.receiver.calls)).toEqual(['quick'])
  // Claimed by the first delivery, it is not available to others while that one hangs.
  await world.deliver(slow.id)
  expect(slow.receiver.calls).toHaveLength(1)
  ;(hanging as ServerResponse | null)?.writeHead(200).end()
  await held
  expect(await world.rows(slow.id)).toMatchObject([{ state: 'taken' }])
})

test.each([
  ['claimed', 1],
  ['sent', 2],
] as const)(
  'stopped when it was %s, it is not lost, and what comes twice has one id',
  async (point, calls) => {
    const { receiver, id } = await opened(200)
    await world.queue(id, 'one')
    await world.queue(id, 'two')
    const killed = new Error('killed')
    const onPoint = (at: string) => {
      if (at === point) throw killed
    }
    await expect(deliverNext(world.ctx({ kind: 'system' }), { webhookId: id, onPoint })).rejects.toBe(killed)
    await world.deliver(id)
    expect(receiver.calls).toHaveLength(calls - 1)
    world.later(60)
    await world.deliver(id)
    expect(titlesOf(receiver.calls)).toEqual([...Array(calls).fill('one'), 'two'])
    expect(new Set(receiver.ids()).size).toBe(2)
  },
)

test('of two consoles one makes the try', async () => {
  const { receiver, id } = await opened(200)
  await world.queue(id, 'one')
  await Promise.all([world.deliver(id), world.deliver(id)])
  expect(receiver.calls).toHaveLength(1)
})

test('after a day it is given up and marked, and the next one follows', async () => {
  const { receiver, id } = await opened(503)
  await world.queue(id, 'one')
  for (let hours = 0; hours < 24; hours += 1) {
    await world.deliver(id)
    world.later(3600)
  }
  await world.queue(id, 'two')
  await world.deliver(id)
  expect(await world.rows(id)).toMatchObject([
    { state: 'given-up', failure: 'it answers 503' },
    { state: 'waiting', tries: 0 },
  ])
  expect(await world.due()).toContain(id)
  expect(receiver.calls.length).toBeGreaterThan(20)
})

test('what was given up is sent again by hand, with its id and an audit row', async () => {
  const { receiver, id } = await opened(400, 400, 400, 400, 400, 200)
  await world.queue(id, 'one')
  for (let tries = 0; tries < 5; tries += 1) {
    await world.deliver(id)
    world.later(600)
  }
  expect(await world.rows(id)).toMatchObject([{ state: 'given-up', tries: 5, status: 400 }])
  const [row] = await world
    .database()
    .query(
      'SELECT id::float8 AS id FROM webhook_delivery WHERE webhook_id = $1',
      [id],
      anyRow<{ id: number }>(),
    )
  await sendAgain(world.ctx(), { id, delivery: row?.id ?? 0 })
  expect((await world.audited()).at(-1)).toMatchObject({
    action: 'webhook.send-again',
    before: { state: 'given-up' },
  })
  await world.deliver(id)
  expect(receiver.calls).toHaveLength(6)
  expect(new Set(receiver.ids()).size).toBe(1)
  expect(await world.rows(id)).toMatchObject([{ state: 'taken', tries: 1, failure: null }])
})

test('a name with a link-local address is never called, and the log states the reason', async () => {
  const cloud = await world.newCloud()
  const { id } = await world.add(cloud.name, { address: 'https://hooks.example.org/x' })
  await world.queue(id, 'one')
  const resolve = async () => [{ address: '169.254.169.254', family: 4 }]
  await world.deliver(id, world.ctx({ kind: 'system' }, { resolve }))
  expect(await world.rows(id)).toMatchObject([
    {
      state: 'waiting',
      tries: 1,
      status: null,
      failure: expect.stringContaining('leads to 169.254.169.254'),
    },
  ])
})

test('a call goes to the checked address, even if the name changes its address', async () => {
  const cloud = await world.newCloud()
  const receiver = await world.receive(200)
  const { port } = new URL(receiver.address)
  const named = [{ host: 'chat.invalid', port: null, isPlain: true }]
  const addresses: string[] = []
  const resolve = async (host: string) => {
    addresses.push(host)
    return [{ address: '127.0.0.1', family: 4 }]
  }
  const ctx = world.ctx(undefined, { named, resolve })
  const { createWebhook } = await import('./create-webhook')
  const { id } = await createWebhook(ctx, {
    body: {
      ...{ cloud: cloud.name, name: 'chat', form: 'json', findingSeverity: null, wantsExhaustion: false },
      ...{ wantsChanges: true, wantsFreeFlavors: false, address: `http://chat.invalid:${port}/x` },
    },
  })
  await world.queue(id, 'one')
  // The system resolver has no address of this name, so the call must have used the address of the single lookup.
  await world.deliver(id, ctx)
  expect(addresses).toEqual(['chat.invalid'])
  expect(receiver.calls).toHaveLength(1)
  expect(receiver.calls[0]?.headers.host).toBe(`chat.invalid:${port}`)
})

test('switched off nothing is sent, switched on what waits goes out, and what waited too long is given up', async () => {
  const { receiver, id } = await opened(200)
  const body = {
    ...{ name: 'on call', form: 'json' as const, findingSeverity: null, wantsExhaustion: false },
    ...{ wantsChanges: true, wantsFreeFlavors: false, address: null },
  }
  await world.queue(id, 'one')
  await updateWebhook(world.ctx(), { id, body: { ...body, isEnabled: false } })
  await world.deliver(id)
  expect(receiver.calls).toHaveLength(0)
  await updateWebhook(world.ctx(), { id, body: { ...body, isEnabled: true } })
  await world.deliver(id)
  expect(receiver.calls).toHaveLength(1)
  await world.queue(id, 'two')
  await updateWebhook(world.ctx(), { id, body: { ...body, isEnabled: false } })
  world.later(25 * 3600)
  await keepLog(world.ctx({ kind: 'system' }))
  expect(await world.rows(id)).toMatchObject([
    { state: 'taken' },
    { state: 'given-up', failure: 'the webhook was switched off for too long' },
  ])
})

test('the log keeps 30 days and 500 messages', async () => {
  const { id } = await opened(200)
  await world.database().query(
    `INSERT INTO webhook_delivery (webhook_id, event_id, event, state, queued_at, waiting_since, next_try_at, ended_at)
     SELECT $1, 'e' || n, '{}', 'taken', $2, $2, $2, $2 FROM generate_series(1, 503) n`,
    [id, world.ctx().now()],
  )
  await keepLog(world.ctx({ kind: 'system' }))
  expect(await world.rows(id)).toHaveLength(500)
  world.later(31 * 24 * 3600)
  await keepLog(world.ctx({ kind: 'system' }))
  expect(await world.rows(id)).toHaveLength(0)
})
