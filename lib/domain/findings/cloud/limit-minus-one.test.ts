import { expect, it } from 'vitest'
import type { LimitFacts } from '@/lib/domain/cloud/types'
import { detect, findOne, sentences, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { readPart } from '@/lib/domain/testing/build-cloud'

const CODE = 'limit-minus-one'
const withLimits = (edit: (limits: LimitFacts) => LimitFacts, nova = '2.100') => {
  const input = t4Cloud()
  const limits = input.facts.limits.value
  if (limits === null) throw new Error('the cloud has no limits')
  return withFacts(input, { limits: readPart(edit(limits)), versions: { ...input.facts.versions, nova } })
}

const minusOne = (nova: string) =>
  withLimits(
    (limits) => ({
      ...limits,
      project: [
        {
          id: 'l1',
          serviceId: 'nova-service',
          regionId: 'RegionOne',
          projectId: 'p1',
          domainId: null,
          resourceName: 'class:VGPU',
          resourceLimit: -1,
        },
      ],
    }),
    nova,
  )

it('blocks everything before 2025.1 and is unlimited from then on', () => {
  expect(findOne(minusOne('2.96'), CODE)).toMatchObject({
    severity: 'error',
    subject: { kind: 'limit', projectId: 'p1' },
    command: 'openstack limit set --resource-limit 1000000 l1',
  })
  expect(sentences(minusOne('2.100'))).toEqual([])
})

// Source: keystone/limit/backends/sql.py: 403 while a project limit refers to the registered limit.
it('a default limit that project limits refer to cannot be set', () => {
  const registeredOf = (input: ReturnType<typeof withLimits>) =>
    detect(input).findings.find(
      ({ code, subject }) => code === CODE && subject.kind === 'limit' && subject.projectId === null,
    )
  const project = (resourceName: string) => ({
    id: 'l1',
    serviceId: 'nova-service',
    regionId: 'RegionOne',
    projectId: 'p1',
    domainId: null,
    resourceName,
    resourceLimit: 5,
  })
  const withProject = (resourceName: string) =>
    withLimits(
      (limits) => ({
        ...limits,
        registered: limits.registered.map((row) =>
          row.resourceName === 'class:VGPU' ? { ...row, defaultLimit: -1 } : row,
        ),
        project: [project(resourceName)],
      }),
      '2.96',
    )
  expect(registeredOf(withProject('class:VGPU'))).toMatchObject({
    command: null,
    nextStep: 'Delete the project limits of class:VGPU, set the default limit, then create them again.',
  })
  expect(registeredOf(withProject('class:VCPU'))?.command).toBe(
    'openstack registered limit set --default-limit 1000000 class:VGPU',
  )
})
