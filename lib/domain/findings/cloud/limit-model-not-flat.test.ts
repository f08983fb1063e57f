import { expect, it } from 'vitest'
import type { LimitFacts } from '@/lib/domain/cloud/types'
import { findOne, sentences, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { readPart } from '@/lib/domain/testing/build-cloud'

const CODE = 'limit-model-not-flat'
const withLimits = (edit: (limits: LimitFacts) => LimitFacts, nova = '2.100') => {
  const input = t4Cloud()
  const limits = input.facts.limits.value
  if (limits === null) throw new Error('the cloud has no limits')
  return withFacts(input, { limits: readPart(edit(limits)), versions: { ...input.facts.versions, nova } })
}

it('a model that oslo.limit does not know', () => {
  const input = withLimits((limits) => ({ ...limits, model: 'strict_two_level' }))
  expect(sentences(input)).toHaveLength(1)
  expect(findOne(input, CODE)).toMatchObject({ sourceToCorrect: 'keystone', subject: { kind: 'cloud' } })
})
