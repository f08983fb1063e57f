import { expect, test } from 'vitest'
import { buildInventory, novaConf } from '@/lib/domain/testing/build-inventory'
import { K40C_ALIAS, K40C_SPEC, k40c } from '@/lib/domain/testing/passthrough-cloud'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { hostPciSchema } from '@/lib/schemas/api/host-pci'
import { createServiceWorld, READER, secondsAgo, TENANT } from '@/lib/services/testing/service-world'
import { storeReport } from '@/lib/services/testing/stored-report'
import { getHostPci } from './get-host-pci'

const world = createServiceWorld()

const confOf = (lines: readonly string[]) => novaConf(['[pci]', ...lines].join('\n'))

const inventoryOf = (name: string, rest: { pci?: string[]; api?: string[] }): Inventory => {
  const base = buildInventory({
    cards: rest.pci === undefined ? [] : [k40c()],
    novaConfig: rest.pci === undefined ? null : confOf(rest.pci),
  })
  const novaApi = rest.api === undefined ? null : confOf(rest.api)
  return { ...base, host: { ...base.host, name, novaApi } }
}

const cloudOf = async (hosts: Record<string, { pci?: string[]; api?: string[] }>, seenAt = secondsAgo(5)) => {
  const cloud = await world.newCloud()
  for (const [name, rest] of Object.entries(hosts))
    await storeReport(world.database(), { cloudId: cloud.id, inventory: inventoryOf(name, rest), seenAt })
  return cloud
}

const whole = { pci: [K40C_SPEC, K40C_ALIAS] }

test('device_spec and alias come with the line that set each, and with what the API has', async () => {
  const cloud = await cloudOf({ 'cmp-1': whole, 'ctl-1': { api: [K40C_ALIAS] } })
  const answer = await getHostPci(world.ctx(READER), { cloud: cloud.name, host: 'cmp-1' })
  expect(hostPciSchema.parse(answer)).toEqual(answer)
  expect(answer.pci).toEqual({
    isInPlacement: false,
    specs: [
      {
        text: 'vendor_id 10de, product_id 1024',
        source: '/etc/nova/nova.conf:2',
        pgpus: ['0000:86:00.0'],
      },
    ],
    aliases: [
      {
        name: 'gpu',
        means: '10de:1024, type-PCI',
        source: '/etc/nova/nova.conf:3',
        takes: ['0000:86:00.0'],
        onApi: 'same',
      },
    ],
    withoutAlias: [],
  })
  expect(answer.api).toMatchObject({ because: null, hosts: [{ host: 'ctl-1', isSelf: false }] })
})

test.each([
  ['absent', { api: [] }],
  ['differs', { api: [K40C_ALIAS.replace('1024', '1eb8')] }],
])('an alias that is %s on the API', async (onApi, api) => {
  const cloud = await cloudOf({ 'cmp-1': whole, 'ctl-1': api })
  const { pci } = await getHostPci(world.ctx(), { cloud: cloud.name, host: 'cmp-1' })
  expect(pci?.aliases[0]?.onApi).toBe(onApi)
})

test('without an agent on the API nothing is reported for it, and the check by hand is named', async () => {
  const cloud = await cloudOf({ 'cmp-1': { pci: [K40C_SPEC] } })
  const { pci, api } = await getHostPci(world.ctx(), { cloud: cloud.name, host: 'cmp-1' })
  expect(pci?.withoutAlias).toEqual(['0000:86:00.0'])
  expect(api).toMatchObject({ hosts: [], because: expect.stringContaining('no agent reports') })
  expect(api.check).toContain('grep')
})

test('an API host that is silent is no word for sure', async () => {
  const cloud = await cloudOf({ 'cmp-1': whole, 'ctl-1': { api: [] } }, secondsAgo(600))
  const { pci } = await getHostPci(world.ctx(), { cloud: cloud.name, host: 'cmp-1' })
  expect(pci?.aliases[0]?.onApi).toBe('unknown')
})

test("another cloud's host is not found, and a tenant is refused", async () => {
  await cloudOf({ 'cmp-1': whole })
  const other = await world.newCloud()
  await expect(getHostPci(world.ctx(), { cloud: other.name, host: 'cmp-1' })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(getHostPci(world.ctx(TENANT), { cloud: null, host: 'cmp-1' })).rejects.toMatchObject({
    code: 'forbidden',
  })
})
