import { describe, expect, test } from 'vitest'
import { describeHost } from '@/lib/domain/host/describe-host'
import {
  buildGuest,
  buildInventory,
  type CardSpec,
  novaConf,
  uuidOf,
} from '@/lib/domain/testing/build-inventory'

const PF = '0000:4d:00.0'
const vfAt = (n: number): string => `0000:4d:00.${n}`

/** A card with seven VFs; those in `reserved` are bound to vfio-pci. */
const cardWith = (spec: Partial<CardSpec>, reserved: readonly number[] = []): CardSpec => ({
  address: PF,
  vendorId: '8086',
  deviceId: '56c1',
  vfDeviceId: '56c1',
  driver: 'i915',
  functions: [1, 2, 3, 4, 5, 6, 7].map((n) => ({
    address: vfAt(n),
    driver: reserved.includes(n) ? 'vfio-pci' : 'i915',
  })),
  ...spec,
})

const readHost = (card: CardSpec, { conf, held = [] }: { conf: string; held?: string[] }) => {
  const guests = held.map((address, n) =>
    buildGuest({ uuid: uuidOf(n + 1), name: `instance-0000000${n}`, pciDevices: [address] }),
  )
  const { pgpus } = describeHost(
    buildInventory({ cards: [card], guests, novaConfig: novaConf(`[pci]\n${conf}`) }),
  )
  const [pgpu] = pgpus
  if (pgpu === undefined) throw new Error('The card is not described.')
  const { capacity, used, creatable } = pgpu.numbers
  return {
    pgpu,
    numbers: [capacity.value, used.value, creatable.value],
    codes: pgpu.findings.map(({ code }) => code),
  }
}

const alias = (type: string, product = '56c1') =>
  `alias = {"vendor_id": "8086", "product_id": "${product}", "device_type": "${type}", "name": "a"}`

describe('the capacity of VFs that Nova assigns', () => {
  test.each([
    ['a glob', '"address": "*:4d:00.*", "product_id": "56c1"', 7],
    [
      'a regular expression',
      '"address": {"domain": "0000", "bus": "4d", "slot": "00", "function": "[1-7]"}',
      7,
    ],
    ['a part of them', '"address": {"bus": "4d", "slot": "00", "function": "[1-4]"}', 4],
    ['ids', '"vendor_id": "8086", "product_id": "56c1"', 7],
    ['the address of the card', `"address": "${PF}"`, 7],
  ])('is counted by %s, with any driver', (_, entry, capacity) => {
    const conf = `device_spec = {${entry}}\n${alias('type-VF')}`
    expect(readHost(cardWith({}), { conf }).numbers).toEqual([capacity, 0, capacity])
    const held = readHost(cardWith({}, [1, 2]), { conf, held: [vfAt(1), vfAt(2)] })
    expect(held.numbers).toEqual([capacity, 2, capacity - 2])
    expect([held.pgpu.handedOutBy, held.codes]).toEqual([null, []])
  })

  test('is that of the VFs where an entry matches the card too and no alias is known', () => {
    const conf = 'device_spec = {"vendor_id": "8086", "product_id": "56c1"}'
    const { numbers, codes } = readHost(cardWith({}), { conf })
    expect(numbers).toEqual([7, 0, 7])
    expect(codes).not.toContain('passthrough-driver')
  })

  test('is the card where only a type-PF alias requests it, and it is not to be bound while a VF is in use', () => {
    const conf = `device_spec = {"vendor_id": "8086", "product_id": "56c1"}\n${alias('type-PF')}`
    const idle = readHost(cardWith({}), { conf })
    expect([idle.numbers, idle.codes]).toEqual([[1, 0, 1], ['passthrough-driver']])
    expect(readHost(cardWith({}), { conf, held: [vfAt(3)] }).codes).not.toContain('passthrough-driver')
  })

  test('takes the product id of the VFs where it is reported', () => {
    const card = cardWith({ vendorId: '1002', deviceId: '74a1', vfDeviceId: '74b5', driver: 'gim' })
    const of = (product: string) =>
      readHost(card, { conf: `device_spec = {"vendor_id": "1002", "product_id": "${product}"}` })
    expect(of('74b5').numbers).toEqual([7, 0, 7])
    expect(of('74a1').numbers).toEqual([1, 0, 1])
    expect(of('7408').pgpu.framework).toBe('none')
  })

  test('includes a VF that a guest has without Nova', () => {
    const conf = 'device_spec = {"address": {"bus": "4d", "slot": "00", "function": "[1-4]"}}'
    expect(readHost(cardWith({}), { conf, held: [vfAt(6)] }).numbers).toEqual([5, 1, 4])
  })
})

test('without an entry, VFs count that a driver reserves for guests', () => {
  const { pgpu, numbers } = readHost(cardWith({}, [1, 2, 3]), { conf: '' })
  expect([pgpu.framework, numbers]).toEqual(['passthrough', [3, 0, 3]])
  expect(readHost(cardWith({}), { conf: '' }).pgpu.framework).toBe('none')
})
