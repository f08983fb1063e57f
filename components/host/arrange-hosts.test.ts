import { expect, test } from 'vitest'
import type { HostSummary } from '@/lib/schemas/api/host'
import { arrangeHosts } from './arrange-hosts'

const host = (name: string, facts: Partial<HostSummary> = {}): HostSummary => ({
  name,
  gpuCount: 8,
  models: ['Tesla T4'],
  capacity: 16,
  used: 4,
  spare: 0,
  free: 12,
  blocked: 0,
  unknown: 0,
  unknownReason: null,
  passthrough: { capacity: 0, used: 0, free: 0, blocked: 0, unknown: 0 },
  wholeCards: 0,
  guestCount: 4,
  problemCount: 0,
  agentVersion: '0.1.0',
  driverVersion: '550.90.05',
  libvirtVersion: '9.0.0',
  deployment: 'kolla',
  seenAt: '2026-11-21T10:00:00.000Z',
  isSilent: false,
  ...facts,
})

const names = (hosts: HostSummary[]) => hosts.map(({ name }) => name)
const all = { q: '', state: null, sort: 'name', desc: false } as const

test('names sort by their numbers', () => {
  expect(names(arrangeHosts([host('cmp-10'), host('cmp-2')], all))).toEqual(['cmp-2', 'cmp-10'])
})

test('every word must occur somewhere in the row', () => {
  const hosts = [host('cmp-1'), host('cmp-2', { models: ['NVIDIA A40'] })]
  expect(names(arrangeHosts(hosts, { ...all, q: 'kolla a40' }))).toEqual(['cmp-2'])
  expect(arrangeHosts(hosts, { ...all, q: 'kolla v100' })).toEqual([])
})

test('an unknown use sorts behind every known one, also behind none used', () => {
  const hosts = [host('a', { used: null }), host('b', { used: 0 }), host('c', { used: 16 })]
  expect(names(arrangeHosts(hosts, { ...all, sort: 'used' }))).toEqual(['c', 'b', 'a'])
})

test('the longest silent host comes first by age, a host without a report before all', () => {
  const hosts = [
    host('new'),
    host('old', { seenAt: '2026-11-20T10:00:00.000Z' }),
    host('never', { seenAt: null }),
  ]
  expect(names(arrangeHosts(hosts, { ...all, sort: 'seen' }))).toEqual(['never', 'old', 'new'])
})

test('the state narrows to silent hosts or to those with problems', () => {
  const hosts = [host('well'), host('quiet', { isSilent: true }), host('torn', { problemCount: 2 })]
  expect(names(arrangeHosts(hosts, { ...all, state: 'silent' }))).toEqual(['quiet'])
  expect(names(arrangeHosts(hosts, { ...all, state: 'problems' }))).toEqual(['torn'])
})
