import { expect, test } from 'vitest'
import { attentionNote, attentionPath, subjectsNote } from './attention-list'

const attention = { code: 'orphan-mdevs', severity: 'warning', sentence: '3 orphans', count: 2 } as const
const blind = { ...attention, code: 'console-blind', count: 24, subjects: [] }

test('a finding of pGPUs leads to the list narrowed to it, in the same cloud', () => {
  const subjects = [{ host: 'cmp-1', address: '0000:18:00.0' }]
  expect(attentionPath({ ...attention, subjects }, 'paris')).toBe('/gpus?cloud=paris&finding=orphan-mdevs')
})

test('a finding of one host leads to that host', () => {
  expect(attentionPath({ ...attention, subjects: [{ host: 'cmp-1', address: null }] }, null)).toBe(
    '/hosts/cmp-1',
  )
})

test('a finding of several hosts leads to the hosts', () => {
  const subjects = ['cmp-1', 'cmp-2'].map((host) => ({ host, address: null }))
  expect(attentionPath({ ...attention, subjects }, null)).toBe('/hosts')
})

test('findings and their kinds are counted apart', () => {
  const kinds = (...counts: number[]) => counts.map((count) => ({ ...attention, count, subjects: [] }))
  expect(attentionNote(kinds(5, 4, 3, 1, 1, 1))).toBe('15 findings of 6 kinds')
  expect(attentionNote(kinds(3))).toBe('3 findings of 1 kind')
  expect(attentionNote(kinds(1, 1))).toBe('2 findings')
  expect(attentionNote([])).toBeUndefined()
})

test('a blind console is one finding, however many hosts are silent', () => {
  expect(attentionNote([blind])).toBe('1 finding')
  expect(subjectsNote(blind)).toBeNull()
})

test('the rest of a long list is counted after those that are named', () => {
  const subjects = ['cmp-1', 'cmp-2', 'cmp-3', 'cmp-4'].map((host) => ({ host, address: null }))
  expect(subjectsNote({ ...attention, count: 24, subjects })).toEqual({
    shown: subjects.slice(0, 3),
    more: ' and 21 more',
  })
  expect(subjectsNote({ ...attention, count: 1, subjects: subjects.slice(0, 1) })?.more).toBe('')
})
