import { expect, it } from 'vitest'
import { findOne, gapsOf, sentences } from '@/lib/domain/testing/break-cloud'
import { h100, K40C_ALIAS, K40C_SPEC, k40c, passthroughCloud } from '@/lib/domain/testing/passthrough-cloud'

const CODE = 'alias-without-device'
const V100 = 'alias = {"name": "v100", "vendor_id": "10de", "product_id": "1db4"}'
const own = (input: Parameters<typeof sentences>[0]) =>
  sentences(input).filter((text) => text.startsWith(CODE))

const whole = { name: 'cmp-1', cards: [k40c()], pci: [K40C_SPEC, K40C_ALIAS] }

it('an alias whose product no host has', () => {
  const input = passthroughCloud(whole, { name: 'ctl-1', api: [K40C_ALIAS, V100] })
  expect(findOne(input, CODE)).toMatchObject({
    severity: 'warning',
    sourceToCorrect: 'nova.conf',
    sentence: 'the PCI alias v100 matches no device of any host',
  })
})

it('states that a card exists and is not assigned, or that it is of another kind', () => {
  const idle = passthroughCloud({ name: 'cmp-1', cards: [k40c()], pci: [K40C_ALIAS] })
  expect(findOne(idle, CODE).sentence).toBe(
    'the PCI alias gpu matches no device of any host: no device_spec assigns the cards with these ids',
  )
  const wrongKind = passthroughCloud({
    name: 'cmp-1',
    cards: [h100()],
    pci: [
      'device_spec = {"vendor_id": "10de", "product_id": "2331"}',
      'alias = {"name": "h100", "vendor_id": "10de", "product_id": "2331", "device_type": "type-PCI"}',
    ],
  })
  expect(findOne(wrongKind, CODE).sentence).toBe(
    'the PCI alias h100 matches no device of any host: the cards with these ids are type-PF',
  )
})

it('an alias of a network card is not ours to judge, nor one whose class other devices have', () => {
  const input = passthroughCloud({
    ...whole,
    pci: [
      ...whole.pci,
      'alias = {"name": "nic", "vendor_id": "8086", "product_id": "154d"}',
      'device_spec = {"vendor_id": "8086", "product_id": "37c9", "resource_class": "qat"}',
      'alias = {"name": "qat", "resource_class": "CUSTOM_QAT"}',
    ],
  })
  expect(own(input)).toEqual([])
})

it.each([
  ['a silent host', { name: 'cmp-2', cards: [k40c({ deviceId: '1db4' })], isSilent: true }],
  ['a host whose nova.conf was not read', { name: 'cmp-2', cards: [k40c({ deviceId: '1db4' })], pci: null }],
])('%s may have the device', (_, other) => {
  const input = passthroughCloud(whole, other, { name: 'ctl-1', api: [V100] })
  expect(own(input)).toEqual([])
  expect(gapsOf(input, CODE)).toEqual([expect.stringContaining('cmp-2')])
})

it('a silent host with other cards makes nothing unknown', () => {
  const silent = { name: 'cmp-2', cards: [k40c()], isSilent: true }
  const input = passthroughCloud(whole, silent, { name: 'ctl-1', api: [K40C_ALIAS, V100] })
  expect(own(input)).toHaveLength(1)
  expect(gapsOf(input, CODE)).toEqual([])
  const byClass = 'alias = {"name": "big", "resource_class": "CUSTOM_BIG"}'
  expect(
    gapsOf(
      passthroughCloud(whole, silent, {
        name: 'ctl-1',
        api: [byClass, '[filter_scheduler]', 'pci_in_placement = True'],
      }),
      CODE,
    ),
  ).toHaveLength(1)
})

it('aliases with devices are none', () => {
  expect(own(passthroughCloud(whole, { name: 'ctl-1', api: [K40C_ALIAS] }))).toEqual([])
})
