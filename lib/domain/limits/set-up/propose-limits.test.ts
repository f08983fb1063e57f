import { expect, it } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { t4Cloud } from '@/lib/domain/testing/break-cloud'
import { allSteps } from '@/lib/util/all-steps'
import { limitTable } from '../limit-view'
import type { ProjectUse } from '../quota-table'
import type { LegacyQuotas } from './judge-driver'
import { neededLimits } from './needed-limits'
import { proposeLimits } from './propose-limits'

const proposed = (nova: string, quotas: LegacyQuotas, usages: Record<string, number> = {}) => {
  const input = t4Cloud()
  const fleet = joinFleet({
    ...input,
    facts: { ...input.facts, versions: { ...input.facts.versions, nova } },
  })
  const view = limitTable(fleet)
  if (view === null) throw new Error('the cloud has limits')
  const uses = new Map<string, ProjectUse>([['p1', { usages, because: null }]])
  const wishes = allSteps(
    proposeLimits({ view, needed: neededLimits(fleet, view), projects: [{ projectId: 'p1', quotas }], uses }),
  )
  return Object.fromEntries(
    wishes.flatMap(({ projectId, resourceName, value }) =>
      projectId === null ? [] : [[resourceName, value]],
    ),
  )
}

const UNBOUNDED: LegacyQuotas = { instances: 1000, cores: -1, memoryMib: 1000 }

it('keeps a project without a quota free where -1 would refuse everything', () => {
  expect(proposed('2.96', UNBOUNDED)).toEqual({ 'class:VCPU': 1_000_000_000 })
  expect(proposed('2.100', UNBOUNDED)).toEqual({ 'class:VCPU': -1 })
})

it('gives a project its current number of GPUs', () => {
  const quotas = { instances: 1000, cores: 1000, memoryMib: 1000 }
  expect(proposed('2.96', quotas, { VGPU: 3 })).toEqual({ 'class:VGPU': 3 })
})
