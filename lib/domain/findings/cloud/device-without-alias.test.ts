import { expect, it } from 'vitest'
import { findOne, gapsOf, sentences } from '@/lib/domain/testing/break-cloud'
import { h100, K40C_ALIAS, K40C_SPEC, k40c, passthroughCloud } from '@/lib/domain/testing/passthrough-cloud'

const CODE = 'device-without-alias'
const own = (input: Parameters<typeof sentences>[0]) =>
  sentences(input).filter((text) => text.startsWith(CODE))

it('a card that device_spec assigns and no alias of the API matches', () => {
  const input = passthroughCloud(
    { name: 'cmp-1', cards: [k40c()], pci: [K40C_SPEC] },
    { name: 'ctl-1', api: [] },
  )
  expect(findOne(input, CODE)).toMatchObject({
    severity: 'warning',
    subject: { kind: 'pgpu', host: 'cmp-1', address: '0000:86:00.0' },
    sentence: 'device_spec assigns the card, and no alias matches it',
    command:
      '[pci]\nalias = {"name": "gpu", "vendor_id": "10de", "product_id": "1024", "device_type": "type-PCI"}',
  })
})

it('suggests a name that no alias has', () => {
  const taken = 'alias = {"name": "gpu", "vendor_id": "10de", "product_id": "26b9", "device_type": "type-VF"}'
  const input = passthroughCloud(
    { name: 'cmp-1', cards: [k40c()], pci: [K40C_SPEC] },
    { name: 'ctl-1', api: [taken] },
  )
  expect(findOne(input, CODE).command).toContain('"name": "gpu-1024"')
})

it('names the alias that requests another kind of device', () => {
  const alias = 'alias = {"name": "h100", "vendor_id": "10de", "product_id": "2331"}'
  const input = passthroughCloud(
    {
      name: 'cmp-1',
      cards: [h100()],
      pci: ['device_spec = {"vendor_id": "10de", "product_id": "2331"}', alias],
    },
    { name: 'ctl-1', api: [alias] },
  )
  expect(findOne(input, CODE).sentence).toBe(
    'no alias matches the card: h100 requests another device type than type-PF',
  )
})

it("without the API's report nothing is reported, and the check is named", () => {
  const input = passthroughCloud({ name: 'cmp-1', cards: [k40c()], pci: [K40C_SPEC] })
  expect(own(input)).toEqual([])
  expect(gapsOf(input, CODE)).toEqual([expect.stringContaining('install an agent on a controller')])
})

it.each([
  ['the API has the alias', [K40C_SPEC], { name: 'ctl-1', api: [K40C_ALIAS] }],
  ['the host alone has it, which is another finding', [K40C_SPEC, K40C_ALIAS], { name: 'ctl-1', api: [] }],
  ['no device_spec names the card', [], { name: 'ctl-1', api: [] }],
])('%s', (_, pci, api) => {
  expect(own(passthroughCloud({ name: 'cmp-1', cards: [k40c()], pci }, api))).toEqual([])
})

it('a silent host is not judged', () => {
  const input = passthroughCloud(
    { name: 'cmp-1', cards: [k40c()], pci: [K40C_SPEC], isSilent: true },
    { name: 'ctl-1', api: [] },
  )
  expect(own(input)).toEqual([])
})
