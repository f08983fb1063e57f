import { expect, test } from 'vitest'
import type { Freshness } from '@/lib/schemas/api/fleet'
import { dataAge } from './data-age-note'

const freshness: Freshness = {
  cloud: 'paris-prod',
  now: '2026-11-21T13:03:34Z',
  asOf: 'p1',
  newestSeenAt: '2026-11-21T13:03:22Z',
  hostCount: 24,
  silentAfterSeconds: 120,
  silentHosts: [],
  isFleetSilent: false,
  fleetSilentSince: null,
}
const answer = { host: null, freshness, answeredAtMs: 1000, nowMs: 4000, isFailing: false }

test('the age grows on the browser’s clock from the server’s answer on', () => {
  expect(dataAge(answer)).toMatchObject({ state: 'fresh', ageSeconds: 15 })
})

test('a browser clock that runs years ahead changes nothing', () => {
  const ahead = 1e12
  expect(dataAge({ ...answer, answeredAtMs: ahead, nowMs: ahead + 3000 })).toMatchObject({ ageSeconds: 15 })
})

test('older than the silence limit is old', () => {
  expect(dataAge({ ...answer, nowMs: 1000 + 109_000 })).toMatchObject({ state: 'old', ageSeconds: 121 })
})

test('on the page of a silent host it is that host’s age', () => {
  const silentHosts = [{ host: 'cmp-2', seenAt: '2026-11-21T12:30:00Z' }]
  const aged = { ...answer, freshness: { ...freshness, silentHosts } }
  expect(dataAge({ ...aged, host: 'cmp-2' })).toMatchObject({
    state: 'old',
    seenAt: new Date('2026-11-21T12:30:00Z'),
  })
  expect(dataAge({ ...aged, host: 'cmp-1' })).toMatchObject({ state: 'fresh', ageSeconds: 15 })
})

test('a console that no longer answers is distinguished from silent hosts', () => {
  expect(dataAge({ ...answer, isFailing: true })).toMatchObject({ state: 'unreachable', ageSeconds: 15 })
})

test('before the first report there is no age', () => {
  expect(dataAge({ ...answer, freshness: { ...freshness, newestSeenAt: null } })).toEqual({ state: 'none' })
})
