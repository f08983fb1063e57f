import { expect, test } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { readPart } from '@/lib/domain/testing/build-cloud'
import { draftFlavors, type FlavorInput } from './draft-flavors'
import { landsNowhere, planFlavors } from './plan-flavors'
import type { PlacementPreview } from './preview'

const placementPreview = (rest: Partial<PlacementPreview>): PlacementPreview => ({
  query: 'GET /allocation_candidates?resources=VGPU:1',
  fits: 0,
  fittingHosts: 0,
  unknownHosts: 0,
  possibleHosts: 0,
  because: null,
  placement: { state: 'answered', candidates: 0, because: null },
  ...rest,
})

test('full is not nowhere, and neither is what is unknown', () => {
  expect(landsNowhere(placementPreview({ possibleHosts: 2 }))).toBeNull()
  expect(landsNowhere(placementPreview({ possibleHosts: null }))).toBeNull()
  expect(landsNowhere(placementPreview({ unknownHosts: 1 }))).toBeNull()
  expect(landsNowhere(placementPreview({ fits: 1, possibleHosts: 1 }))).toBeNull()
})

test('no host, and a query that Placement refuses, are nowhere, with the reason', () => {
  expect(landsNowhere(placementPreview({ because: 'cmp1, it is full' }))).toContain(
    'closest host: cmp1, it is full',
  )
  const refused = { state: 'refused', candidates: null, because: 'No such trait' } as const
  expect(landsNowhere(placementPreview({ possibleHosts: 3, placement: refused }))).toBe('No such trait')
})

const hosts = (t4Cloud().facts.services.value ?? []).map(({ host }) => host)
const INPUT: FlavorInput = {
  do: 'create',
  flavorId: 'f1',
  flavor: {
    name: 'two',
    description: null,
    vcpus: 1,
    memoryMib: 1024,
    diskGib: 1,
    isPublic: true,
    projectIds: [],
    extraSpecs: { 'resources:VGPU': '1' },
  },
  aggregate: { name: 'gpu', hosts, properties: { gpu: 'true' } },
}

test.each([
  ['is there', ['gpu'], /^# The aggregate "gpu" exists already/],
  ['is as wanted', [], /^resource "openstack_compute_flavor_v2"/],
  ['is new', null, /^resource "openstack_compute_aggregate_v2"/],
])('Terraform reports what an aggregate needs that %s', (_, missing, text) => {
  const aggregate = { id: 1, uuid: 'a1', name: 'gpu', availabilityZone: null }
  const found = missing?.length === 0 ? { hosts, metadata: { gpu: 'true' } } : { hosts: [], metadata: {} }
  const aggregates = readPart(missing === null ? [] : [{ ...aggregate, ...found }])
  const fleet = joinFleet(withFacts(t4Cloud(), { aggregates }))
  const drafts = draftFlavors(fleet, INPUT)
  const plan = planFlavors(fleet, {
    drafts,
    landings: new Map(),
    input: INPUT,
    isNoMatchAccepted: false,
  })
  expect(plan.flavorChange?.terraform).toMatch(text)
})
