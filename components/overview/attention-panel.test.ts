import { expect, test } from 'vitest'
import { actionOf, attentionNote, attentionPath, shownSubjects } from './attention-panel'

const attention = {
  code: 'orphan-mdevs',
  severity: 'warning',
  sentence: '3 orphans',
  count: 2,
  isTracked: false,
  since: null,
} as const
const silent = { ...attention, code: 'console-blind', count: 24, subjects: [] }

test('a finding of pGPUs leads to the list narrowed to it, in the same cloud', () => {
  const subjects = [{ kind: 'pgpu' as const, host: 'cmp-1', address: '0000:18:00.0' }]
  expect(attentionPath({ ...attention, subjects }, 'paris')).toBe('/gpus?cloud=paris&finding=orphan-mdevs')
})

test('a finding of one host leads to that host', () => {
  expect(attentionPath({ ...attention, subjects: [{ kind: 'host', host: 'cmp-1' }] }, null)).toBe(
    '/hosts/cmp-1',
  )
})

test('a finding of several hosts leads to the hosts', () => {
  const subjects = ['cmp-1', 'cmp-2'].map((host) => ({ kind: 'host' as const, host }))
  expect(attentionPath({ ...attention, subjects }, null)).toBe('/hosts')
})

test('findings and their kinds are counted apart', () => {
  const kinds = (...counts: number[]) => counts.map((count) => ({ ...attention, count, subjects: [] }))
  expect(attentionNote(kinds(5, 4, 3, 1, 1, 1))).toBe('15 findings of 6 kinds')
  expect(attentionNote(kinds(3))).toBe('3 findings of 1 kind')
  expect(attentionNote(kinds(1, 1))).toBe('2 findings')
  expect(attentionNote([])).toBeUndefined()
})

test('a silent fleet is one finding, for any number of hosts', () => {
  expect(attentionNote([silent])).toBe('1 finding')
})

test('what a round found leads to the findings of its kind', () => {
  const subjects = [{ kind: 'flavor' as const, id: 'f', name: 'vgpu.t4' }]
  expect(
    attentionPath({ ...attention, code: 'flavor-lands-nowhere', subjects, isTracked: true }, 'paris'),
  ).toBe('/findings?cloud=paris&code=flavor-lands-nowhere')
})

test('a subject with several findings is named once, and others are counted', () => {
  const hosts = ['cmp-1', 'cmp-1', 'cmp-2', 'cmp-3', 'cmp-4'].map((host) => ({ kind: 'host' as const, host }))
  const { subjects, rest } = shownSubjects({ subjects: hosts, count: 9 })
  expect(subjects.map(({ kind, ...subject }) => subject)).toEqual([
    { host: 'cmp-1' },
    { host: 'cmp-2' },
    { host: 'cmp-3' },
  ])
  expect(rest).toBe(5)
})

test('a correctable finding with one subject leads to its change, several lead to the findings', () => {
  const subjects = [{ kind: 'pgpu' as const, host: 'cmp-1', address: '0000:18:00.0' }]
  const one = { ...attention, count: 1, subjects, isTracked: true }
  expect(actionOf(one, 'paris').path).toMatch(/^\/changes\/new\/orphans\?/)
  expect(actionOf({ ...one, count: 2 }, 'paris')).toEqual({
    path: '/findings?cloud=paris&code=orphan-mdevs',
    label: 'View findings',
    isPlan: false,
  })
})
