import { expect, test } from 'vitest'
import { t4Cloud } from '@/lib/domain/testing/break-cloud'
import { type ProviderWord, withAnswer } from './with-answer'

const { facts } = t4Cloud()
const gpu = facts.providers.value?.find(({ inventories }) => inventories?.VGPU !== undefined)
const { capacity = 0, used = 0 } = gpu?.inventories?.VGPU ?? {}
const answer = (word: Partial<ProviderWord>) =>
  new Map([
    [
      gpu?.uuid ?? '',
      { traits: gpu?.traits?.toReversed() ?? [], resources: { VGPU: { capacity, used } }, ...word },
    ],
  ])

test('an answer with nothing new leaves the facts as they are', () => {
  expect(withAnswer(facts, answer({}))).toBe(facts)
})

test.each([
  ['amounts in use', { resources: { VGPU: { capacity, used: used + 1 } } }],
  ['a capacity', { resources: { VGPU: { capacity: capacity - 1, used } } }],
  ['one more class', { resources: { VGPU: { capacity, used }, CUSTOM_X: { capacity: 1, used: 0 } } }],
  ['one more trait', { traits: [...(gpu?.traits ?? []), 'CUSTOM_NEW'] }],
  ['another trait', { traits: [...(gpu?.traits?.slice(1) ?? []), 'CUSTOM_NEW'] }],
])('%s of an answer replaces what was read', (_, word) => {
  const renewed = withAnswer(facts, answer(word))
  const [before, after] = [facts, renewed].map(({ providers }) =>
    providers.value?.find(({ uuid }) => uuid === gpu?.uuid),
  )
  expect(after).not.toEqual(before)
})
