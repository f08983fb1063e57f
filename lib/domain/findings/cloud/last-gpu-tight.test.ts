import { expect, it } from 'vitest'
import { findOne, gapsOf, sentences, withFacts } from '@/lib/domain/testing/break-cloud'
import { readPart, silentPart } from '@/lib/domain/testing/build-cloud'
import { uuidOf } from '@/lib/domain/testing/build-inventory'
import { GPU_FLAVOR, k40cCloud, PLAIN_FLAVOR } from '@/lib/domain/testing/k40c-cloud'

const CODE = 'last-gpu-tight'

const findingsOf = (ordinary: number): string[] =>
  sentences(k40cCloud({ ordinary })).filter(
    (text) => text.startsWith(CODE) || text.startsWith('vgpus-stranded'),
  )

it('is reported when one more ordinary server would strand the last GPU, and not before', () => {
  expect(findingsOf(13)).toEqual([])
  expect(findingsOf(14)).toEqual([
    `${CODE}: one more server of m1.large, the most common flavor there, would strand the last GPU`,
  ])
  expect(findOne(k40cCloud({ ordinary: 14 }), CODE)).toMatchObject({
    subject: { kind: 'host', host: 'hyper18' },
    consequence: expect.stringContaining('too little memory for g1.gpu'),
  })
})

it('is closed when the host no longer admits the flavor of the ordinary servers', () => {
  const reserved = { ...PLAIN_FLAVOR, extraSpecs: { 'trait:CUSTOM_GPU_HOST': 'forbidden' } }
  const input = k40cCloud({ ordinary: 14, flavors: [GPU_FLAVOR, reserved] })
  const codes = (traits: string[]) => {
    const value = (input.facts.providers.value ?? []).map((provider) => ({ ...provider, traits }))
    return sentences(withFacts(input, { providers: readPart(value) }))
      .map((text) => text.split(':')[0])
      .filter((code) => code === CODE)
  }
  expect(codes(['CUSTOM_GPU_HOST'])).toEqual([])
  expect(codes([])).toEqual([CODE])
})

it('is closed in an isolated aggregate, as long as the flavor does not require its trait', () => {
  const codes = (required: string) => {
    const flavor = { ...PLAIN_FLAVOR, extraSpecs: { [`trait:${required}`]: 'required' } }
    const input = k40cCloud({ ordinary: 14, flavors: [GPU_FLAVOR, flavor] })
    const metadata = { 'trait:CUSTOM_GPU_HOST': 'required' }
    const providers = (input.facts.providers.value ?? []).map((provider) => ({
      ...provider,
      traits: ['CUSTOM_GPU_HOST', 'CUSTOM_OTHER'],
    }))
    const aggregate = {
      id: 1,
      uuid: uuidOf(700),
      name: 'gpu',
      availabilityZone: null,
      hosts: ['hyper18'],
      metadata,
    }
    return sentences(withFacts(input, { providers: readPart(providers), aggregates: readPart([aggregate]) }))
      .map((text) => text.split(':')[0])
      .filter((code) => code === CODE)
  }
  expect(codes('CUSTOM_OTHER')).toEqual([])
  expect(codes('CUSTOM_GPU_HOST')).toEqual([CODE])
})

it('leaves it to the stranded ones once it has happened', () => {
  expect(findingsOf(15)).toEqual([
    'vgpus-stranded: 1 free card cannot be scheduled: the host has no CPU, memory or disk left for them',
  ])
})

it('is unknown without Nova’s servers', () => {
  expect(gapsOf(withFacts(k40cCloud({ ordinary: 14 }), { servers: silentPart() }), CODE)).toHaveLength(1)
})
