import { expect, it } from 'vitest'
import type { Flavor } from '@/lib/domain/cloud/types'
import { editList, findOne, gapsOf, sentences, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { buildFlavor, readPart } from '@/lib/domain/testing/build-cloud'

const CODE = 'flavor-lands-nowhere'
const GOOD = { 'resources:VGPU': '1', 'trait:CUSTOM_T4_4C': 'required' }
const withFlavor = (flavor: Partial<Flavor>) =>
  withFacts(t4Cloud(), {
    flavors: readPart([
      buildFlavor({ name: 'good', extraSpecs: GOOD }),
      buildFlavor({ name: 'odd', extraSpecs: GOOD, ...flavor }),
    ]),
  })

it.each<[string, Partial<Flavor>]>([
  ['more memory than any host has', { memoryMib: 2_000_000 }],
  ['more of one provider than it has', { extraSpecs: { ...GOOD, 'resources:VGPU': '5' } }],
  [
    'two providers where there is one',
    {
      extraSpecs: {
        'resources1:VGPU': '1',
        'resources2:VGPU': '1',
        group_policy: 'isolate',
        'trait1:CUSTOM_T4_4C': 'required',
      },
    },
  ],
  ['pinned CPUs on hosts without any', { extraSpecs: { ...GOOD, 'hw:cpu_policy': 'dedicated' } }],
])('%s', (_, flavor) => {
  expect(sentences(withFlavor(flavor)).filter((text) => text.startsWith(CODE))).toHaveLength(1)
  expect(findOne(withFlavor(flavor), CODE).command).toMatch(
    /^openstack --os-placement-api-version 1.37 allocation candidate list --resource [VP]CPU=/,
  )
})

it('a full cloud is no reason', () => {
  expect(sentences(withFlavor({ extraSpecs: { ...GOOD, 'resources:VGPU': '4' } }))).toEqual([])
})

it('what another detector reports better is not reported twice', () => {
  expect(sentences(withFlavor({ extraSpecs: { 'resources:CUSTOM_NONE': '1' } }))).toHaveLength(1)
})

it('is unknown while hosts with GPUs have no agent', () => {
  const input = withFlavor({ memoryMib: 2_000_000 })
  const noAgent = { ...input, hosts: [] }
  expect(gapsOf(noAgent, CODE)).toContain('cmp-1 has GPUs and no agent')
  const empty = editList(noAgent, 'providers', (provider) => (provider.parentUuid === null ? provider : null))
  expect(sentences(empty).filter((text) => text.startsWith(CODE))).toEqual([])
})
