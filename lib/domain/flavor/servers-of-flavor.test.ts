import { expect, test } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { withFacts } from '@/lib/domain/testing/break-cloud'
import { buildFlavor, buildServer, readPart } from '@/lib/domain/testing/build-cloud'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import { isCopyCurrent, serversOfFlavor } from './servers-of-flavor'
import { whoMayUse } from './who-may-use'

const cloud = buildHealthyCloud([])
const flavor = buildFlavor({ name: 'vgpu', extraSpecs: { 'resources:VGPU': '1' } })
const server = {
  ...buildServer({ uuid: 'aaaa-1', host: 'cmp1' }),
  flavorName: 'vgpu',
  extraSpecs: { 'resources:VGPU': '1' },
}

test('servers are found by the name in their copy, and never read is not none', () => {
  const other = { ...server, uuid: 'other', flavorName: 'plain' }
  const fleet = joinFleet(withFacts(cloud, { servers: readPart([server, other]) }))
  expect(serversOfFlavor(fleet, flavor)).toEqual([server])
  const unread = { value: null, at: null, error: 'down', failingSince: '2026-11-21T08:00:00Z' } as const
  expect(serversOfFlavor(joinFleet(withFacts(cloud, { servers: unread })), flavor)).toBeNull()
})

test('a copy is old when an extra spec came, went or changed, or a size did', () => {
  const copy = { ...server, vcpus: flavor.vcpus, memoryMib: flavor.memoryMib, diskGib: flavor.diskGib }
  expect(isCopyCurrent(copy, flavor)).toBe(true)
  expect(isCopyCurrent({ ...copy, extraSpecs: {} }, flavor)).toBe(false)
  expect(isCopyCurrent({ ...copy, extraSpecs: { ...copy.extraSpecs, gpu: 'true' } }, flavor)).toBe(false)
  expect(isCopyCurrent({ ...copy, vcpus: flavor.vcpus + 1 }, flavor)).toBe(false)
})

test('projects of a private flavor are named; an unread list is not an empty one', () => {
  const fleet = joinFleet(
    withFacts(cloud, { projects: readPart([{ id: 'p1', name: 'cfd', domainId: 'd', isEnabled: true }]) }),
  )
  const closed = { ...flavor, isPublic: false }
  expect(whoMayUse(fleet, { ...closed, projectIds: ['p2', 'p1'] })).toEqual([
    { id: 'p1', name: 'cfd' },
    { id: 'p2', name: 'p2' },
  ])
  expect(whoMayUse(fleet, closed)).toBeNull()
  expect(whoMayUse(fleet, { ...flavor, isPublic: true, projectIds: ['p1'] })).toBeNull()
})
