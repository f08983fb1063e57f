import { expect, it } from 'vitest'
import { findOne, gapsOf, sentences } from '@/lib/domain/testing/break-cloud'
import { h100, K40C_ALIAS, K40C_SPEC, k40c, passthroughCloud } from '@/lib/domain/testing/passthrough-cloud'

const CODE = 'alias-not-on-api'
const own = (input: Parameters<typeof sentences>[0]) =>
  sentences(input).filter((text) => text.startsWith(CODE))

const H100_SPEC = 'device_spec = {"vendor_id": "10de", "product_id": "2331"}'
const whole = { name: 'cmp-1', cards: [k40c()], pci: [K40C_SPEC, K40C_ALIAS] }

it('an alias that no host of the API has', () => {
  expect(findOne(passthroughCloud(whole, { name: 'ctl-1', api: [] }), CODE)).toMatchObject({
    severity: 'error',
    sentence: "the PCI alias gpu of cmp-1 is missing on Nova's API",
    consequence: expect.stringContaining('PCI alias gpu is not defined'),
  })
})

it('an alias that one of the API hosts lacks', () => {
  const input = passthroughCloud(whole, { name: 'ctl-1', api: [K40C_ALIAS] }, { name: 'ctl-2', api: [] })
  expect(findOne(input, CODE).sentence).toBe('the PCI alias gpu of cmp-1 is missing on ctl-2')
})

it("without the API's report, or while it is silent, nothing is reported", () => {
  for (const input of [
    passthroughCloud(whole),
    passthroughCloud(whole, { name: 'ctl-1', api: [], isSilent: true }),
  ]) {
    expect(own(input)).toEqual([])
    expect(gapsOf(input, CODE)).toHaveLength(1)
  }
})

it('uses the aliases that an admin entered where no agent reports them, else those of the agent', () => {
  const entered = { by: 'user:anna', at: '2026-11-20T10:00:00.000Z', aliases: [], isByPlacement: null }
  expect(findOne({ ...passthroughCloud(whole), apiAliases: entered }, CODE)).toMatchObject({
    sentence: "the PCI alias gpu of cmp-1 is missing on Nova's API",
    nextStep: expect.stringContaining('enter the aliases again in Settings, Cloud'),
    evidence: expect.arrayContaining([
      { source: 'nova.conf', reported: "Nova's API (aliases entered by anna): no alias gpu", at: entered.at },
    ]),
  })
  const withAgent = passthroughCloud(whole, { name: 'ctl-1', api: [K40C_ALIAS] })
  expect(own({ ...withAgent, apiAliases: entered })).toEqual([])
  const silent = passthroughCloud(whole, { name: 'ctl-1', api: [K40C_ALIAS], isSilent: true })
  expect(findOne({ ...silent, apiAliases: entered }, CODE).evidence).toHaveLength(2)
})

it('an alias that takes nothing of its host is not missed', () => {
  const other = 'alias = {"name": "nic", "vendor_id": "8086", "product_id": "154d"}'
  expect(own(passthroughCloud({ ...whole, pci: [K40C_SPEC, other] }, { name: 'ctl-1', api: [] }))).toEqual([])
})

it('finds the alias among the others of an API host, and the card among the others of a host', () => {
  const nic = 'alias = {"name": "nic", "vendor_id": "8086", "product_id": "154d"}'
  const two = { ...whole, cards: [k40c(), h100()], pci: [K40C_SPEC, H100_SPEC, K40C_ALIAS] }
  expect(own(passthroughCloud(two, { name: 'ctl-1', api: [nic, K40C_ALIAS] }))).toEqual([])
  expect(findOne(passthroughCloud(two, { name: 'ctl-1', api: [nic] }), CODE).sentence).toBe(
    "the PCI alias gpu of cmp-1 is missing on Nova's API",
  )
})

it('requires new text in the settings as soon as one of the hosts without the alias was entered by an admin', () => {
  const entered = { by: 'user:anna', at: '2026-11-20T10:00:00.000Z', aliases: [], isByPlacement: null }
  const apis = [
    { name: 'ctl-1', api: [] },
    { name: 'ctl-2', api: [], isSilent: true },
  ]
  const { nextStep, evidence } = findOne({ ...passthroughCloud(whole, ...apis), apiAliases: entered }, CODE)
  expect(evidence.filter(({ reported }) => reported.endsWith('no alias gpu'))).toHaveLength(2)
  expect(nextStep).toContain('Settings, Cloud')
})
