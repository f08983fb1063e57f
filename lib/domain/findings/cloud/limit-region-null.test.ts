import { expect, it } from 'vitest'
import type { LimitFacts } from '@/lib/domain/cloud/types'
import { findOne, sentences, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { readPart } from '@/lib/domain/testing/build-cloud'

const CODE = 'limit-region-null'
const withLimits = (edit: (limits: LimitFacts) => LimitFacts, nova = '2.100') => {
  const input = t4Cloud()
  const limits = input.facts.limits.value
  if (limits === null) throw new Error('the cloud has no limits')
  return withFacts(input, { limits: readPart(edit(limits)), versions: { ...input.facts.versions, nova } })
}

const nullRow = {
  id: 'null-row',
  serviceId: 'nova-service',
  regionId: null,
  resourceName: 'class:VGPU',
  defaultLimit: 7,
}

it('a row without region next to the right one', () => {
  const input = withLimits((limits) => ({ ...limits, registered: [...limits.registered, nullRow] }))
  expect(sentences(input)).toEqual([
    `${CODE}: class:VGPU is registered twice: 7 without a region, 0 in RegionOne`,
  ])
  expect(findOne(input, CODE)).toMatchObject({ severity: 'warning', sourceToCorrect: 'keystone' })
})

it('a row without region alone is not found by Nova', () => {
  const input = withLimits((limits) => ({
    ...limits,
    registered: [...limits.registered.filter((row) => row.resourceName !== 'class:VGPU'), nullRow],
  }))
  expect(findOne(input, CODE).severity).toBe('error')
})

it("another service's row is none of Nova's", () => {
  const input = withLimits((limits) => ({
    ...limits,
    registered: [...limits.registered, { ...nullRow, serviceId: 'glance' }],
  }))
  expect(sentences(input)).toEqual([])
})

it('a row that project limits refer to cannot be deleted first', () => {
  const refer = (regionId: string | null) =>
    withLimits((limits) => ({
      ...limits,
      registered: [...limits.registered, nullRow],
      project: [
        {
          id: 'l1',
          serviceId: 'nova-service',
          regionId,
          projectId: 'p1',
          domainId: null,
          resourceName: 'class:VGPU',
          resourceLimit: 5,
        },
      ],
    }))
  expect(findOne(refer(null), CODE)).toMatchObject({
    command: null,
    nextStep: 'Delete the project limits of class:VGPU without a region. Delete the row without a region.',
  })
  expect(findOne(refer('RegionOne'), CODE).command).toBe('openstack registered limit delete null-row')
})
