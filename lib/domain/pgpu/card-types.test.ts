import { expect, test } from 'vitest'
import { describeHost } from '@/lib/domain/host/describe-host'
import { buildInventory, type CardSpec, novaConf } from '@/lib/domain/testing/build-inventory'
import { vfOf } from '@/lib/domain/testing/offers'

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

test('where nobody on the host names it, the published table does, and it gives no number', () => {
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
    describeHost(inventory, { hasDetails: false }).pgpus[0]?.currentType?.shortName
  expect([nameIn(before), nameIn(after)]).toEqual(['nvidia-9154', 'L40S-16Q'])
})
