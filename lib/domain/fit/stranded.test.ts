import { expect, test } from 'vitest'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { gpuHeadroom } from '@/lib/domain/headroom/gpu-headroom'
import { editList } from '@/lib/domain/testing/break-cloud'
import { inventoryOf } from '@/lib/domain/testing/build-cloud'
import { L40S, l40sCloud } from '@/lib/domain/testing/l40s-cloud'
import { strandedOf } from './stranded'

const strandedIn = (input: FleetFacts) => {
  const fleet = joinFleet(input)
  const [joined] = fleet.hosts
  const entry = joined?.pgpus.find(({ pgpu }) => pgpu.address === L40S)
  if (joined === undefined || entry === undefined) throw new Error('the cloud has a card')
  return strandedOf(fleet, joined, entry)
}

const withoutHeadroom = (input: FleetFacts): FleetFacts =>
  editList(input, 'providers', (provider) =>
    provider.parentUuid === null
      ? { ...provider, inventories: { ...provider.inventories, MEMORY_MB: inventoryOf(65_536, 57_344) } }
      : provider,
  )

test('VFs with a type are schedulable for a flavor that names their alias', () => {
  expect(strandedIn(l40sCloud({ typed: 3 }))).toMatchObject({ value: 0, because: null })
})

test("VFs without a type are unschedulable, regardless of Placement's offer", () => {
  expect(strandedIn(l40sCloud({ typed: 2 }))).toMatchObject({
    value: 1,
    because: 'their VFs have no vGPU type yet',
  })
})

test('no flavor names their alias, or the host has no memory next to them', () => {
  expect(strandedIn(l40sCloud({ typed: 3, flavors: [] }))).toMatchObject({
    value: 3,
    because: 'no flavor requests them',
  })
  expect(strandedIn(withoutHeadroom(l40sCloud({ typed: 3 })))).toMatchObject({
    value: 2,
    because: 'the host has no CPU, memory or disk left for them',
  })
})

test('the headroom panel shows which free vGPUs no server gets', () => {
  const fleet = joinFleet(l40sCloud({ typed: 2 }))
  const [joined] = fleet.hosts
  if (joined === undefined) throw new Error('the cloud has a host')
  expect(gpuHeadroom(fleet, joined)).toMatchObject({
    state: 'partly',
    because:
      '1 of 3 free vGPUs is on a VF without a vGPU type, so no server gets it; CPU, memory and disk are enough for every one',
    flavors: [{ name: 'vgpu.l40s-16q', byGpus: 2 }],
  })
})
