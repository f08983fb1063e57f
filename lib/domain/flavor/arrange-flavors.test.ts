import { expect, test } from 'vitest'
import type { FlavorSummary } from '@/lib/schemas/api/flavor'
import { arrangeFlavors, isFull } from './arrange-flavors'

const flavor = (name: string, rest: Partial<FlavorSummary> = {}): FlavorSummary => ({
  id: `id-${name}`,
  name,
  isPublic: true,
  isDisabled: false,
  asks: '1 vGPU of T4-4C: 4 GiB, up to 1 display; 8 vCPUs, 32 GiB',
  projects: null,
  servers: 0,
  types: [],
  fits: 0,
  byPlacement: 0,
  atOnce: 0,
  fittingHosts: 0,
  unknownHosts: 0,
  isExact: true,
  possibleHosts: 0,
  nearest: null,
  findings: [],
  ...rest,
})

const ALL = { q: '', state: null, sort: 'name', desc: false } as const
const names = (flavors: readonly FlavorSummary[]): string[] => flavors.map(({ name }) => name)

const some = [
  flavor('vgpu.10', { fits: 3 }),
  flavor('vgpu.2', { fits: 12, findings: [{ id: 1, severity: 'info', sentence: 'x' }] }),
  flavor('mute', { unknownHosts: 2 }),
  flavor('full', { asks: '1 vGPU of A40-4Q, 4 vCPUs, 16 GiB' }),
]

test('names are in natural order', () => {
  expect(names(arrangeFlavors(some, ALL))).toEqual(['full', 'mute', 'vgpu.2', 'vgpu.10'])
})

test('unknown values come after "none"', () => {
  expect(names(arrangeFlavors(some, { ...ALL, sort: 'fits' }))).toEqual(['vgpu.2', 'vgpu.10', 'full', 'mute'])
})

test('every word of the search must occur in the name or in the request', () => {
  expect(names(arrangeFlavors(some, { ...ALL, q: 'vgpu. T4-4c' }))).toEqual(['vgpu.2', 'vgpu.10'])
  expect(names(arrangeFlavors(some, { ...ALL, q: 'a40' }))).toEqual(['full'])
})

test('full is what certainly takes none', () => {
  expect(some.filter(isFull).map(({ name }) => name)).toEqual(['full'])
  expect(names(arrangeFlavors(some, { ...ALL, state: 'full' }))).toEqual(['full'])
  expect(names(arrangeFlavors(some, { ...ALL, state: 'findings' }))).toEqual(['vgpu.2'])
})
