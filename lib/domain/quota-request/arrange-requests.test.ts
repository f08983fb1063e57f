import { expect, it } from 'vitest'
import type { ListedRequest } from '@/lib/schemas/api/quota-request'
import { arrangeRequests } from './arrange-requests'

const request = (id: number, rest: Partial<ListedRequest>): ListedRequest => ({
  id,
  version: 1,
  cloud: 'demo',
  projectId: 'p1',
  projectName: 'cfd-lab',
  resourceName: 'class:VGPU',
  value: 9,
  until: null,
  reason: 'A course',
  status: 'open',
  madeBy: 'user:tina',
  madeAt: '2026-11-21T08:00:00Z',
  decidedBy: null,
  decidedAt: null,
  answer: null,
  grantedValue: null,
  grantedUntil: null,
  beforeValue: null,
  change: null,
  backChange: null,
  revertedAt: null,
  endedAt: null,
  endNote: null,
  problem: null,
  limit: null,
  promised: null,
  capacity: null,
  ...rest,
})

it('a request whose change was dropped waits for a decision like an open one', () => {
  const requests = [request(1, {}), request(2, { status: 'unwritten' }), request(3, { status: 'granted' })]
  const ids = (group: 'open' | 'granted' | 'past' | null, q = '') =>
    arrangeRequests(requests, { q, group }).map(({ id }) => id)
  expect(ids('open')).toEqual([1, 2])
  expect(ids('granted')).toEqual([3])
  expect(ids('past')).toEqual([])
  expect(ids(null, 'CFD course')).toEqual([1, 2, 3])
  expect(ids(null, 'cfd unknown')).toEqual([])
})
