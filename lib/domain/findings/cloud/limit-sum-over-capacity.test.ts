import { expect, it } from 'vitest'
import type { LimitFacts } from '@/lib/domain/cloud/types'
import { findOne, sentences, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { readPart } from '@/lib/domain/testing/build-cloud'

const CODE = 'limit-sum-over-capacity'
const withLimits = (edit: (limits: LimitFacts) => LimitFacts, nova = '2.100') => {
  const input = t4Cloud()
  const limits = input.facts.limits.value
  if (limits === null) throw new Error('the cloud has no limits')
  return withFacts(input, { limits: readPart(edit(limits)), versions: { ...input.facts.versions, nova } })
}

import { gapsOf } from '@/lib/domain/testing/break-cloud'

const granted = (amounts: number[] | null) =>
  withLimits((limits) => ({
    ...limits,
    project:
      amounts?.map((resourceLimit, n) => ({
        id: `l${n}`,
        serviceId: 'nova-service',
        regionId: 'RegionOne',
        projectId: `p${n}`,
        domainId: null,
        resourceName: 'class:VGPU',
        resourceLimit,
      })) ?? null,
  }))

it('projects have quotas for more than there are', () => {
  expect(sentences(granted([3, 2]))).toEqual([
    `${CODE}: the limits of 2 projects on VGPU add up to 5, but the capacity is 4`,
  ])
  expect(findOne(granted([3, 2]), CODE)).toMatchObject({ severity: 'info', sourceToCorrect: null })
  expect(sentences(granted([3, 1]))).toEqual([])
})

it("is unknown without the right to read others' limits", () => {
  expect(gapsOf(granted(null), CODE)).toHaveLength(1)
  expect(sentences(granted(null))).toEqual([])
})
