import { expect, it } from 'vitest'
import { findOne, sentences } from '@/lib/domain/testing/break-cloud'
import { K40C_ALIAS, K40C_SPEC, k40c, passthroughCloud } from '@/lib/domain/testing/passthrough-cloud'

const CODE = 'alias-differs'
const own = (input: Parameters<typeof sentences>[0]) =>
  sentences(input).filter((text) => text.startsWith(CODE))

const whole = { name: 'cmp-1', cards: [k40c()], pci: [K40C_SPEC, K40C_ALIAS] }
const OTHER = 'alias = {"name": "gpu", "vendor_id": "10de", "product_id": "1eb8", "device_type": "type-PCI"}'

it('a name that means another device on the API', () => {
  const finding = findOne(passthroughCloud(whole, { name: 'ctl-1', api: [OTHER] }), CODE)
  expect(finding.sentence).toBe(
    'the PCI alias gpu matches different devices: 10de:1eb8, type-PCI and 10de:1024, type-PCI',
  )
  expect(finding.evidence.map(({ reported }) => reported)).toEqual([
    "ctl-1 (Nova's API): 10de:1eb8, type-PCI",
    'cmp-1: 10de:1024, type-PCI',
  ])
})

it('a name that means two devices on one host', () => {
  const input = passthroughCloud({ ...whole, pci: [...whole.pci, OTHER] })
  expect(findOne(input, CODE).consequence).toContain('any of these devices')
})

it('ids in another case, and hosts that are silent, make no difference', () => {
  const upper = K40C_ALIAS.replace('10de', '10DE')
  expect(own(passthroughCloud(whole, { name: 'ctl-1', api: [upper] }))).toEqual([])
  expect(own(passthroughCloud(whole, { name: 'ctl-1', api: [OTHER], isSilent: true }))).toEqual([])
})
