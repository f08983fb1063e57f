import { expect, test } from 'vitest'
import type { CloudReadingDto } from '@/lib/schemas/api/cloud-reading'
import { staleOfReading, staleSubject } from './part-label'

type Part = CloudReadingDto['parts'][number]

const fresh = (part: string): Part => ({
  part,
  items: 3,
  at: '2026-11-21T14:03:00.000Z',
  error: null,
  failingSince: null,
})
const failing = (part: string, at: string | null, failingSince: string): Part => ({
  part,
  items: at === null ? null : 3,
  at,
  error: 'connection refused',
  failingSince,
})

test('nothing is stale while every part answers', () => {
  expect(staleOfReading({ parts: [fresh('providers'), fresh('servers')] })).toEqual([])
})

test('a service that is down is shown once, with its oldest data and the time since when', () => {
  const parts = [
    failing('providers', '2026-11-21T13:20:10.000Z', '2026-11-21T13:21:10.000Z'),
    failing('allocations', '2026-11-21T13:20:00.000Z', '2026-11-21T13:21:00.000Z'),
    fresh('servers'),
  ]
  const stale = staleOfReading({ parts })
  expect(stale).toEqual([
    {
      service: 'placement',
      parts: ['resource providers', 'allocations'],
      since: '2026-11-21T13:21:00.000Z',
      at: '2026-11-21T13:20:00.000Z',
      error: 'connection refused',
      isIncomplete: false,
    },
  ])
  expect(stale.map(staleSubject)).toEqual(['Placement does not return resource providers and allocations'])
})

test('data that was never read is distinguished from old data', () => {
  const parts = [
    failing('limits', null, '2026-11-21T13:00:00.000Z'),
    failing('projects', '2026-11-21T12:59:00.000Z', '2026-11-21T13:00:00.000Z'),
    failing('of-a-newer-console', null, '2026-11-21T13:00:00.000Z'),
  ]
  expect(staleOfReading({ parts }).map(({ service, parts: own, at }) => [service, own, at])).toEqual([
    ['keystone', ['projects'], '2026-11-21T12:59:00.000Z'],
    ['keystone', ['limits'], null],
    [null, ['of-a-newer-console'], null],
  ])
})

test('an incomplete list is named apart from what does not answer', () => {
  const cut = failing('projects', '2026-11-21T13:00:00.000Z', '2026-11-21T13:00:00.000Z')
  const parts = [cut, failing('limits', '2026-11-21T12:59:00.000Z', '2026-11-21T13:00:00.000Z')]
  expect(staleOfReading({ parts }).map(staleSubject)).toEqual([
    "Keystone's list of projects is incomplete",
    'Keystone does not return limits',
  ])
})
