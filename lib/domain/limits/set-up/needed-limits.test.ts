import { expect, it } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { t4Cloud } from '@/lib/domain/testing/break-cloud'
import { buildFlavor, readPart } from '@/lib/domain/testing/build-cloud'
import { limitTable } from '../limit-view'
import { neededLimits } from './needed-limits'
import { siteDefaults } from './site-defaults'

/** What a cloud without any registered limit is to register. */
const proposedOf = (nova: string, quotas: Record<string, number> = {}) => {
  const { facts, ...input } = t4Cloud()
  const limits = facts.limits.value
  if (limits === null) throw new Error('the cloud has limits')
  const fleet = joinFleet({
    ...input,
    facts: {
      ...facts,
      flavors: readPart([
        ...(facts.flavors.value ?? []),
        buildFlavor({ name: 'fpga', extraSpecs: { 'resources:FPGA': '1' } }),
      ]),
      limits: readPart({ ...limits, registered: [] }),
      versions: { ...facts.versions, nova },
    },
  })
  const view = limitTable(fleet)
  if (view === null) throw new Error('the cloud has limits')
  const needed = neededLimits(fleet, view, siteDefaults(new Map(Object.entries(quotas))))
  return Object.fromEntries(needed.map(({ resourceName, proposed }) => [resourceName, proposed]))
}

it('takes over the defaults that this cloud has, and Nova’s own where it reported none', () => {
  expect(proposedOf('2.96', { instances: 50, cores: 200, key_pairs: 7 })).toMatchObject({
    servers: 50,
    'class:VCPU': 200,
    'class:PCPU': 200,
    'class:MEMORY_MB': 51_200,
    server_key_pairs: 7,
    server_groups: 10,
  })
})

it('keeps flavors startable that request other devices, with or without GPUs', () => {
  expect([proposedOf('2.96')['class:FPGA'], proposedOf('2.100')['class:FPGA']]).toEqual([1_000_000_000, null])
  expect(proposedOf('2.96')['class:VGPU']).toBe(0)
})

it('writes a default without a limit as a high number where -1 would refuse everything', () => {
  expect(proposedOf('2.96', { cores: -1 })['class:VCPU']).toBe(1_000_000_000)
  expect(proposedOf('2.100', { cores: -1 })['class:VCPU']).toBe(-1)
})
