import { expect, test } from 'vitest'
import { deliveryListSchema, webhookListSchema } from '@/lib/schemas/api/webhook'
import { type WebhookBody, webhookBodySchema } from '@/lib/schemas/webhook/webhook-event'
import { createSecretBox } from '@/lib/server/secrets/secret-box'
import { READER, TENANT } from '@/lib/services/testing/service-world'
import { createWebhook } from './create-webhook'
import { deleteWebhook } from './delete-webhook'
import { getDelivery } from './get-delivery'
import { listDeliveries } from './list-deliveries'
import { listWebhooks } from './list-webhooks'
import { renewWebhookSecret } from './renew-secret'
import { sendAgain } from './send-again'
import { resealWebhooks } from './start-webhook-deliveries'
import { testWebhook } from './test-webhook'
import { createWebhookWorld } from './testing/webhook-world'
import { updateWebhook } from './update-webhook'

const world = createWebhookWorld()

const wanted = {
  ...{ name: 'on call', form: 'json' as const, findingSeverity: 'error' as const },
  ...{ wantsExhaustion: false, wantsChanges: true, wantsFreeFlavors: false },
}
const list = async (cloud: string, ctx = world.ctx(READER)) =>
  webhookListSchema.parse(await listWebhooks(ctx, { cloud })).webhooks

test('its secret is shown once, and neither it nor the address is anywhere in the open', async () => {
  const cloud = await world.newCloud()
  const { address } = await world.receive(200)
  const { id, secret } = await world.add(cloud.name, { address })
  expect(secret).toMatch(/^sbws_[\w-]{43}$/)
  await testWebhook(world.ctx(), { id })
  const { secret: renewed } = await renewWebhookSecret(world.ctx(), { id })
  expect(renewed).not.toBe(secret)
  const shown = JSON.stringify([
    await list(cloud.name, world.ctx()),
    await listDeliveries(world.ctx(), { id }),
    await world.audited(),
    await world.database().query('SELECT * FROM webhook'),
    await world.database().query('SELECT event, body, failure FROM webhook_delivery'),
  ])
  for (const hidden of [secret, renewed, 's3cret-path']) expect(shown).not.toContain(hidden)
  expect(await list(cloud.name)).toMatchObject([
    { id, origin: new URL(address).origin, madeBy: 'user:local-admin' },
  ])
})

test('it is added, changed, tested, renewed and deleted with an audit row each', async () => {
  const cloud = await world.newCloud()
  const { address } = await world.receive(200)
  const before = (await world.audited()).length
  const { id } = await createWebhook(world.ctx(), { body: { cloud: cloud.name, ...wanted, address } })
  await updateWebhook(world.ctx(), {
    id,
    body: { ...wanted, name: 'night', form: 'slack', address: null, isEnabled: false },
  })
  expect(await list(cloud.name)).toMatchObject([
    { name: 'night', form: 'slack', isEnabled: false, last: null },
  ])
  await testWebhook(world.ctx(), { id })
  await renewWebhookSecret(world.ctx(), { id })
  await deleteWebhook(world.ctx(), { id })
  expect(await list(cloud.name)).toEqual([])
  const rows = (await world.audited()).slice(before)
  expect(rows.map(({ action, actor }) => [action, actor])).toEqual(
    ['create', 'change', 'test', 'renew-secret', 'delete'].map((verb) => [
      `webhook.${verb}`,
      'user:local-admin',
    ]),
  )
  expect(rows[1]).toMatchObject({
    before: { name: 'on call', isEnabled: true },
    after: { name: 'night', isEnabled: false, hasNewAddress: false },
  })
})

test('a test is sent immediately, returns its result and is logged', async () => {
  const cloud = await world.newCloud()
  const receiver = await world.receive(204, 500)
  const { id } = await world.add(cloud.name, { address: receiver.address })
  expect(await testWebhook(world.ctx(), { id })).toMatchObject({ failure: null, status: 204 })
  expect(await testWebhook(world.ctx(), { id })).toMatchObject({ failure: 'it answers 500', status: 500 })
  const body = webhookBodySchema.parse(JSON.parse(receiver.calls[0]?.body ?? ''))
  expect(body).toMatchObject({ event: 'test', cloud: cloud.name, by: 'user:local-admin' })
  const { deliveries } = deliveryListSchema.parse(await listDeliveries(world.ctx(READER), { id }))
  expect(deliveries).toMatchObject([
    { event: 'test', state: 'given-up', failure: 'it answers 500', tries: 1 },
    { event: 'test', state: 'taken', status: 204, tries: 1 },
  ])
  const newest = await getDelivery(world.ctx(READER), { id, delivery: deliveries[0]?.id ?? 0 })
  expect(newest.body).toBe(receiver.calls[1]?.body)
  await world.deliver(id)
  expect(receiver.calls).toHaveLength(2)
})

test('an admin changes, a reader sees, a tenant gets nothing', async () => {
  const cloud = await world.newCloud()
  const { address } = await world.receive(200)
  const { id } = await world.add(cloud.name, { address })
  await world.queue(id, 'one')
  const [delivery] = (await listDeliveries(world.ctx(READER), { id })).deliveries
  const one = { id, delivery: delivery?.id ?? 0 }
  const reader = world.ctx(READER)
  const forbidden = { code: 'forbidden' }
  const body = { ...wanted, address: null, isEnabled: true }
  await expect(
    createWebhook(reader, { body: { cloud: cloud.name, ...wanted, address } }),
  ).rejects.toMatchObject(forbidden)
  await expect(updateWebhook(reader, { id, body })).rejects.toMatchObject(forbidden)
  await expect(deleteWebhook(reader, { id })).rejects.toMatchObject(forbidden)
  await expect(renewWebhookSecret(reader, { id })).rejects.toMatchObject(forbidden)
  await expect(testWebhook(reader, { id })).rejects.toMatchObject(forbidden)
  await expect(sendAgain(reader, one)).rejects.toMatchObject(forbidden)
  const tenant = world.ctx(TENANT)
  await expect(listWebhooks(tenant, { cloud: cloud.name })).rejects.toMatchObject(forbidden)
  await expect(listDeliveries(tenant, { id })).rejects.toMatchObject(forbidden)
  await expect(getDelivery(tenant, one)).rejects.toMatchObject(forbidden)
})

test('what is of another cloud is not there', async () => {
  const cloud = await world.newCloud()
  const other = await world.newCloud()
  const { address } = await world.receive(200)
  const { id } = await world.add(cloud.name, { address })
  const account = {
    ...{
      cloud: other.name,
      userId: 'u',
      userName: 'otto',
      userDomain: 'Default',
      scope: { kind: 'system' as const },
    },
    source: { kind: 'session' as const, sessionId: 1, sessionHash: 'h1' },
  }
  const otto = world.ctx({ kind: 'user', name: 'otto@Default', roles: ['admin'], account })
  const gone = { code: 'not_found' }
  await expect(deleteWebhook(otto, { id })).rejects.toMatchObject(gone)
  await expect(testWebhook(otto, { id })).rejects.toMatchObject(gone)
  await expect(listDeliveries(otto, { id })).rejects.toMatchObject(gone)
  await expect(listWebhooks(otto, { cloud: cloud.name })).rejects.toMatchObject(gone)
  expect(await list(cloud.name)).toHaveLength(1)
})

test.each([
  [{ name: ' ' }, 'name', 'must have at least 1 character'],
  [{ address: '' }, 'address', 'must have at least 1 character'],
  [{ address: 'http://hooks.example.org/x' }, 'address', 'must be an https address'],
  [{ address: 'https://169.254.169.254/latest' }, 'address', 'is never called'],
  [{ address: 'https://10.0.0.1/x' }, 'address', 'SLICEBOARD_WEBHOOK_HOSTS'],
  [{ form: 'xml' as 'json' }, 'form', 'must be one of json, slack'],
  [{ findingSeverity: 'bad' as 'error' }, 'findingSeverity', 'must be one of error, warning, info'],
  [{ findingSeverity: null, wantsChanges: false }, 'findingSeverity', 'Select at least one event'],
])('%j is refused in one sentence, and nothing is made', async (wrong, field, rule) => {
  const cloud = await world.newCloud()
  const body = { cloud: cloud.name, ...wanted, address: 'https://hooks.example.org/x', ...wrong }
  await expect(createWebhook(world.ctx(), { body })).rejects.toMatchObject({
    code: 'validation',
    field,
    message: expect.stringContaining(rule),
  })
  expect(await list(cloud.name)).toEqual([])
})

test('of one name there is one in a cloud', async () => {
  const cloud = await world.newCloud()
  const address = 'https://hooks.example.org/x'
  await world.add(cloud.name, { address })
  await expect(world.add(cloud.name, { address })).rejects.toMatchObject({ code: 'conflict', field: 'name' })
  const { id } = await world.add(cloud.name, { address, name: 'other' })
  const body = { ...wanted, name: 'on call', address: null, isEnabled: true }
  await expect(updateWebhook(world.ctx(), { id, body })).rejects.toMatchObject({
    code: 'conflict',
    field: 'name',
  })
})

test('a webhook that is sealed with another secret is not called, and states how to repair it', async () => {
  const cloud = await world.newCloud()
  const receiver = await world.receive(200)
  const { id } = await world.add(cloud.name, { address: receiver.address })
  const ctx = world.ctx(undefined, { box: createSecretBox(['another secret, as after a careless change']) })
  expect(await testWebhook(ctx, { id })).toMatchObject({
    failure: expect.stringContaining('renew the secret'),
  })
  expect(receiver.calls).toHaveLength(0)
  await updateWebhook(ctx, { id, body: { ...wanted, address: receiver.address, isEnabled: true } })
  await renewWebhookSecret(ctx, { id })
  expect(await testWebhook(ctx, { id })).toMatchObject({ failure: null })
})

test('what an older secret sealed is sealed again, so that the older one can be taken away', async () => {
  const cloud = await world.newCloud()
  const receiver = await world.receive(200)
  const { id } = await world.add(cloud.name, { address: receiver.address })
  const [older, newer] = [
    'a secret of tests that seals nothing real',
    'the secret that takes its place from now on',
  ]
  await resealWebhooks(world.ctx({ kind: 'system' }, { box: createSecretBox([newer, older]) }))
  const ctx = world.ctx(undefined, { box: createSecretBox([newer]) })
  expect(await testWebhook(ctx, { id })).toMatchObject({ failure: null })
})

test('links lead to the console where it knows its address', async () => {
  const cloud = await world.newCloud()
  const receiver = await world.receive(200)
  const { id } = await world.add(cloud.name, { address: receiver.address })
  await testWebhook(world.ctx(undefined, { consoleUrl: 'https://gpus.example' }), { id })
  const body: WebhookBody = JSON.parse(receiver.calls[0]?.body ?? '')
  expect(body.url).toBe(`https://gpus.example/?cloud=${cloud.name}`)
})
