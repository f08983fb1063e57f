import { expect, it } from 'vitest'
import { findOne, sentences, t4Cloud } from '@/lib/domain/testing/break-cloud'

const request = {
  host: 'cmp-1',
  code: '3f9a77c1',
  reason: 'live-credential',
  address: '10.0.0.7',
  joinTokenLabel: 'rack 4',
  lastAt: '2026-11-21T10:00:00.000Z',
} as const

it('reports hosts that wait for approval, one finding per host', () => {
  const other = { ...request, code: '00112233', address: '10.0.0.8' }
  const input = { ...t4Cloud(), waitingEnrollments: [request, other] }
  expect(sentences(input)).toEqual([
    'enrollment-waiting: A join token that is not bound to cmp-1 was used to replace its credential',
  ])
  expect(findOne(input, 'enrollment-waiting')).toMatchObject({
    subject: { kind: 'host', host: 'cmp-1' },
    severity: 'warning',
    evidence: [
      { reported: 'request 3f9a77c1 from 10.0.0.7 with the join token "rack 4"' },
      { reported: 'request 00112233 from 10.0.0.8 with the join token "rack 4"' },
    ],
  })
})

it('names a removed host that returns, also while no agent of it is known', () => {
  const input = {
    ...t4Cloud(),
    waitingEnrollments: [{ ...request, host: 'cmp-9', reason: 'removed-host' as const }],
  }
  expect(sentences(input)).toEqual(['enrollment-waiting: cmp-9 was removed and requests to enroll again'])
})

it('finds nothing while no host waits', () => {
  expect(sentences(t4Cloud())).toEqual([])
})
