import { expect, test } from 'vitest'
import { suggestChoices, suggestServerName } from './suggest-choices'

const fits = (id: string) => ({ id, problem: null })

test('the first choices that work are suggested, and the default security group', () => {
  expect(
    suggestChoices({
      images: [{ id: 'large', problem: 'needs a disk of 64 GiB' }, fits('own'), fits('public')],
      networks: [{ id: 'empty', problem: 'has no subnet' }, fits('net')],
      keyPairs: ['laptop', 'desktop'],
      securityGroups: [
        { id: 'g1', name: 'a-group' },
        { id: 'g2', name: 'default' },
      ],
    }),
  ).toEqual({ imageId: 'own', networkId: 'net', keyPair: 'laptop', securityGroupId: 'g2' })
})

test('nothing is suggested of a list that is empty or was not read', () => {
  const nothing = { imageId: null, networkId: null, keyPair: null, securityGroupId: null }
  expect(suggestChoices({ images: [], networks: [], keyPairs: [], securityGroups: [] })).toEqual(nothing)
  expect(suggestChoices({ images: null, networks: null, keyPairs: null, securityGroups: null })).toEqual(
    nothing,
  )
})

test.each([
  ['vgpu.a40-4q', 'a40-4q-1'],
  ['gpu.h100', 'h100-1'],
  ["'; touch x; '", 'touch-x-1'],
  ['日本語', 'server-1'],
  [`vgpu.${'x'.repeat(100)}`, `${'x'.repeat(40)}-1`],
])('%s suggests the name %s', (flavor, name) => {
  expect(suggestServerName(flavor)).toBe(name)
})
