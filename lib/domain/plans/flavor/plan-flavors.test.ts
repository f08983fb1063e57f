import { expect, test } from 'vitest'
import { landsNowhere } from './plan-flavors'
import type { FlavorLanding } from './preview'

const landing = (rest: Partial<FlavorLanding>): FlavorLanding => ({
  query: 'GET /allocation_candidates?resources=VGPU:1',
  fits: 0,
  fittingHosts: 0,
  unknownHosts: 0,
  possibleHosts: 0,
  because: null,
  placement: { state: 'answered', candidates: 0, because: null },
  ...rest,
})

test('full is not nowhere, and neither is what can’t be told', () => {
  expect(landsNowhere(landing({ possibleHosts: 2 }))).toBeNull()
  expect(landsNowhere(landing({ possibleHosts: null }))).toBeNull()
  expect(landsNowhere(landing({ unknownHosts: 1 }))).toBeNull()
  expect(landsNowhere(landing({ fits: 1, possibleHosts: 1 }))).toBeNull()
})

test('no host, and a query that Placement refuses, are nowhere, with the reason', () => {
  expect(landsNowhere(landing({ because: 'cmp1, it is full' }))).toContain('nearest: cmp1, it is full')
  const refused = { state: 'refused', candidates: null, because: 'No such trait' } as const
  expect(landsNowhere(landing({ possibleHosts: 3, placement: refused }))).toBe('No such trait')
})
