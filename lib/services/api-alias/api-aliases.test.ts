import { expect, test } from 'vitest'
import { buildInventory, novaConf } from '@/lib/domain/testing/build-inventory'
import { K40C_ALIAS, K40C_SPEC, k40c } from '@/lib/domain/testing/passthrough-cloud'
import { apiAliasListSchema } from '@/lib/schemas/api/api-alias'
import { anyRow } from '@/lib/server/testing/any-row'
import { getHostPci } from '@/lib/services/host/get-host-pci'
import { createServiceWorld, NOW, READER, secondsAgo } from '@/lib/services/testing/service-world'
import { storeReport } from '@/lib/services/testing/stored-report'
import { getApiAliases } from './get-api-aliases'
import { forgetAliases, setAliases } from './set-aliases'

const world = createServiceWorld()

const cloudWithCard = async () => {
  const cloud = await world.newCloud()
  const base = buildInventory({
    cards: [k40c()],
    novaConfig: novaConf(['[pci]', K40C_SPEC, K40C_ALIAS].join('\n')),
  })
  const inventory = { ...base, host: { ...base.host, name: 'cmp-1', novaApi: null } }
  await storeReport(world.database(), { cloudId: cloud.id, inventory, seenAt: secondsAgo(5) })
  const onApi = async () =>
    (await getHostPci(world.ctx(READER), { cloud: cloud.name, host: 'cmp-1' })).pci?.aliases[0]?.onApi
  const audit = () =>
    world
      .database()
      .query(
        'SELECT actor, action, before, after FROM audit_entry WHERE cloud = $1 ORDER BY id',
        [cloud.name],
        anyRow<{ actor: string; action: string; before: unknown; after: unknown }>(),
      )
  return { cloud: cloud.name, onApi, audit }
}

test(`a value that an admin enters replaces "can't tell", with its author and time`, async () => {
  const { cloud, onApi, audit } = await cloudWithCard()
  expect(await onApi()).toBe('unknown')
  await setAliases(world.ctx(), { cloud, body: { text: '[pci]' } })
  expect(await onApi()).toBe('absent')
  await setAliases(world.ctx(), { cloud, body: { text: K40C_ALIAS } })
  expect(await onApi()).toBe('same')
  const list = await getApiAliases(world.ctx(READER), { cloud })
  expect(apiAliasListSchema.parse(list)).toEqual(list)
  expect(list).toMatchObject({
    hosts: [{ isEntered: true, seenAt: NOW.toISOString(), aliases: [{ name: 'gpu' }] }],
    entered: { text: K40C_ALIAS, by: 'user:local-admin', at: NOW.toISOString() },
  })
  await forgetAliases(world.ctx(), { cloud })
  expect(await onApi()).toBe('unknown')
  expect(await audit()).toMatchObject([
    { action: 'cloud.tell-api-aliases', before: null, after: { text: '[pci]' } },
    { action: 'cloud.tell-api-aliases', before: { text: '[pci]' }, after: { text: K40C_ALIAS } },
    { action: 'cloud.forget-api-aliases', before: { text: K40C_ALIAS }, after: null },
  ])
})

test('a reader cannot enter aliases, and aliases that Nova would refuse are not accepted', async () => {
  const { cloud, onApi, audit } = await cloudWithCard()
  const body = { text: K40C_ALIAS }
  await expect(setAliases(world.ctx(READER), { cloud, body })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(forgetAliases(world.ctx(READER), { cloud })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(setAliases(world.ctx(), { cloud, body: { text: 'alias = {gpu}' } })).rejects.toMatchObject({
    code: 'validation',
    field: 'text',
  })
  await expect(setAliases(world.ctx(), { cloud: 'elsewhere', body })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(forgetAliases(world.ctx(), { cloud })).rejects.toMatchObject({ code: 'not_found' })
  expect(await onApi()).toBe('unknown')
  expect(await audit()).toEqual([])
})
