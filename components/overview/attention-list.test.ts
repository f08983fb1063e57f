import { expect, test } from 'vitest'
import { attentionPath } from './attention-list'

const attention = { code: 'orphan-mdevs', severity: 'warning', sentence: '3 orphans', count: 2 } as const

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
