import { expect, it } from 'vitest'
import { findOne, gapsOf, sentences, withFacts } from '@/lib/domain/testing/break-cloud'
import { buildFlavor, readPart } from '@/lib/domain/testing/build-cloud'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'

const CODE = 'multi-create-fails'
const card = { kind: 'T4', used: 0, spare: 0 } as const
const asking = (amount: number, hosts = 1) =>
  withFacts(
    buildHealthyCloud(Array.from({ length: hosts }, () => ({ cards: [card, card], hasDomain: false }))),
    {
      flavors: readPart([
        buildFlavor({
          name: 'vgpu',
          extraSpecs: { 'resources:VGPU': `${amount}`, 'trait:CUSTOM_T4_4C': 'required' },
        }),
      ]),
    },
  )

it('two of 4 vGPUs on 2 x 4 must fail at once, two of 2 work', () => {
  expect(sentences(asking(4))).toEqual([`${CODE}: multi-create of vgpu fails although two servers fit`])
  expect(findOne(asking(4), CODE)).toMatchObject({
    severity: 'info',
    subject: { kind: 'flavor', name: 'vgpu' },
  })
  expect(sentences(asking(2))).toEqual([])
})

it('a second host makes it work', () => {
  expect(sentences(asking(4, 2))).toEqual([])
})

it('is unknown of a silent host', () => {
  const input = { ...asking(4), hosts: asking(4).hosts.map((host) => ({ ...host, isSilent: true })) }
  expect(gapsOf(input, CODE)).toEqual(['cmp-1 has been silent since 2026-11-21T09:59:50.000Z'])
})
