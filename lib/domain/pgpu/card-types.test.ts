import { expect, test } from 'vitest'
import { describeHost } from '@/lib/domain/host/describe-host'
import { buildInventory, type CardSpec, novaConf } from '@/lib/domain/testing/build-inventory'
import { vfOf } from '@/lib/domain/testing/offers'
import type { NvidiaSmi } from '@/lib/schemas/agent/inventory'

/** An L40S with vendor VFIO of which every function holds `typeId`, or none does and all of them offer `creatable`. */
const l40s = (address: string, typeId: number, creatable: string[] = []): CardSpec => ({
  address,
  deviceId: '26b9',
  modelName: 'NVIDIA L40S',
  functions: [0, 1, 2].map((n) => ({
    address: vfOf(address, n),
    vendorVfio: { currentType: typeId, creatable },
  })),
})

const hostOf = (...cards: CardSpec[]) => buildInventory({ cards, mdevs: null, novaConfig: novaConf('') })

const FULL = '0000:c8:00.0'
const SISTER = '0000:c9:00.0'
const typeOn = (inventory: ReturnType<typeof hostOf>) =>
  describeHost(inventory).pgpus.find(({ address }) => address === FULL)?.currentType

test('a type that a full card no longer lists goes by the name that another card of the model lists', () => {
  const inventory = hostOf(l40s(FULL, 9154), l40s(SISTER, 0, ['9154  : NVIDIA L40S-16Q']))
  expect(typeOn(inventory)).toMatchObject({
    typeId: 'nvidia-9154',
    name: 'NVIDIA L40S-16Q',
    shortName: 'L40S-16Q',
  })
})

test('a card of another model does not name it', () => {
  const other = { ...l40s(SISTER, 0, ['9154  : NVIDIA L40-16Q']), deviceId: '26b5' }
  expect(typeOn(hostOf(l40s(FULL, 9154), other))).toMatchObject({ name: null, shortName: 'nvidia-9154' })
})

test('a type that no program of the host names is named by the published table, without a number', () => {
  const inventory = hostOf(l40s(FULL, 1154))
  expect(typeOn(inventory)).toMatchObject({ name: null, shortName: 'L40S-16Q', maxInstance: null })
  expect(describeHost(inventory).pgpus[0]?.numbers.capacity.value).toBe(3)
})

test('a full card gets its name as soon as another card of the host lists it', () => {
  const before = hostOf(l40s(FULL, 9154), l40s(SISTER, 0))
  const after = {
    ...before,
    gpus: [...before.gpus.slice(0, 1), ...hostOf(l40s(SISTER, 0, ['9154 : NVIDIA L40S-16Q'])).gpus],
  }
  const nameIn = (inventory: typeof before) =>
    describeHost(inventory, { detail: 'rows' }).pgpus[0]?.currentType?.shortName
  expect([nameIn(before), nameIn(after)]).toEqual(['nvidia-9154', 'L40S-16Q'])
})

/** A card of the Blackwell Server Editions, whose types have the same names: one VF has a type, two offer `creatable`. */
const blackwell = (product: string, currentType: number, creatable: string[]): CardSpec => ({
  address: FULL,
  deviceId: '2c3a',
  modelName: `NVIDIA RTX PRO ${product} Blackwell Server Edition`,
  functions: [0, 1, 2].map((n) => ({
    address: vfOf(FULL, n),
    vendorVfio: { currentType: n === 0 ? currentType : 0, creatable: n === 0 ? [] : creatable },
  })),
})

const smiOf = (inventory: ReturnType<typeof hostOf>, rest: Partial<NvidiaSmi['gpus'][number]>) => ({
  ...inventory,
  nvidiaSmi: {
    driverVersion: '580.105.06',
    gpus: [
      {
        address: FULL,
        name: null,
        uuid: null,
        framebufferMib: null,
        migMode: null,
        heterogeneousMode: null,
        vgpus: [],
        ...rest,
      },
    ],
  },
})

const maximaOf = (inventory: ReturnType<typeof hostOf>) =>
  Object.fromEntries(
    (describeHost(inventory).pgpus[0]?.supportedTypes ?? []).map((type) => [
      type.shortName,
      type.maxInstance,
    ]),
  )

test('types of the same name have the maximum of the card, and none on a card that no table has', () => {
  const lines = ['1701 : NVIDIA RTX Pro 4500 Blackwell DC-8C', '1702 : NVIDIA RTX Pro 4500 Blackwell DC-32C']
  expect(maximaOf(hostOf(blackwell('4500', 0, lines)))).toEqual({ 'DC-8C': 4, 'DC-32C': 1 })
  expect(maximaOf(hostOf(blackwell('6000', 0, lines)))).toEqual({ 'DC-8C': 12, 'DC-32C': 3 })
  const unknown = hostOf(blackwell('5000', 1701, lines))
  expect(maximaOf(unknown)).toEqual({ 'DC-8C': null, 'DC-32C': null })
  expect(describeHost(unknown).pgpus[0]?.numbers.creatable).toEqual({
    value: null,
    reason: 'neither the driver nor a published table reports how many fit on this card',
  })
})

test('an A type has the maximum of the Q type of its size', () => {
  const lines = ['1519 : NVIDIA RTX Pro 6000 Blackwell DC-3Q', '1520 : NVIDIA RTX Pro 6000 Blackwell DC-3A']
  expect(maximaOf(hostOf(blackwell('6000', 1519, lines)))).toEqual({ 'DC-3Q': 32, 'DC-3A': 32 })
})

test('what nvidia-smi reports of a type precedes the table, and names a type that no VF lists', () => {
  const reported = { name: 'NVIDIA RTX Pro 5000 Blackwell DC-8C', framebufferMib: 8192, maxPerInstance: null }
  const inventory = smiOf(hostOf(blackwell('5000', 1701, [])), {
    vgpuTypes: [{ id: 1701, maxInstances: 6, profileId: null, ...reported }],
  })
  expect(maximaOf(inventory)).toEqual({ 'DC-8C': 6 })
  const { rawFacts = [] } = describeHost(inventory).pgpus[0] ?? {}
  expect(rawFacts).toContainEqual({
    label: 'DC-8C maximum on one GPU',
    value: '6',
    source: 'nvidia-smi vgpu -s -v',
  })
})
