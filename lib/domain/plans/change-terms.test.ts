import { expect, test } from 'vitest'
import { endedBatch, whyNotApprove, whyNotStart, windowAt } from './change-terms'

const at = (time: string) => new Date(`2026-03-01T${time}:00Z`)
const window = { from: at('02:00').toISOString(), until: at('04:00').toISOString() }
const FREE = { needsApproval: false, window: null, batchHosts: null, approvedBy: null }

test('a window is open from its first moment until its last, and no window is always open', () => {
  expect(['01:59', '02:00', '03:59', '04:00'].map((time) => windowAt(window, at(time)))).toEqual([
    'early',
    'open',
    'open',
    'over',
  ])
  expect(windowAt(null, at('12:00'))).toBe('open')
})

test('what needs approval starts once it has it, and nothing starts behind its window', () => {
  expect(whyNotStart(FREE, at('05:00'))).toBeNull()
  expect(whyNotStart({ ...FREE, needsApproval: true }, at('05:00'))).toMatch(/approval of a second person/)
  expect(whyNotStart({ ...FREE, needsApproval: true, approvedBy: 'user:ben' }, at('05:00'))).toBeNull()
  expect(whyNotStart({ ...FREE, window }, at('01:00'))).toBeNull()
  expect(whyNotStart({ ...FREE, window }, at('05:00'))).toMatch(/closed at 2026-03-01T04:00/)
})

test('only a second person approves, once, what waits for it', () => {
  const change = { state: 'planned', needsApproval: true, approvedBy: null, madeBy: 'user:anna' }
  expect(whyNotApprove(change, 'user:ben')).toBeNull()
  expect(whyNotApprove(change, 'user:anna')).toMatch(/You planned this change/)
  const byToken = { ...change, madeBy: 'user:anna/api-token:7' }
  expect(whyNotApprove(byToken, 'user:anna')).toMatch(/You planned this change/)
  expect(whyNotApprove(byToken, 'user:ben')).toBeNull()
  expect(whyNotApprove({ ...change, approvedBy: 'user:cleo' }, 'user:ben')).toBe(
    'cleo has approved it already.',
  )
  expect(whyNotApprove({ ...change, needsApproval: false }, 'user:ben')).toMatch(/no approval/)
  expect(whyNotApprove({ ...change, state: 'running' }, 'user:ben')).toMatch(/is not started/)
})

const steps = (ended: number) =>
  [null, 'a', 'a', 'b', 'c', 'd', 'e'].map((host, index) => ({
    host,
    isEnded: index < ended,
    changedAt: index < ended ? at(`03:0${index}`) : null,
  }))

test('after each batch of hosts it stops until a person lets it continue', () => {
  const ask = (next: number, letGo: string) =>
    endedBatch(steps(next), { next, batchHosts: 2, letGoAt: at(letGo) })
  expect([0, 1, 2, 3].map((next) => ask(next, '01:00'))).toEqual([null, null, null, null])
  expect(ask(4, '01:00')).toEqual({ batch: 1, batches: 3 })
  expect(ask(4, '03:30')).toBeNull()
  expect(ask(5, '03:30')).toBeNull()
  expect(ask(6, '03:03')).toEqual({ batch: 2, batches: 3 })
  expect(endedBatch(steps(4), { next: 4, batchHosts: null, letGoAt: at('01:00') })).toBeNull()
})

test('a host that was begun is ended before the batch stops', () => {
  const begun = steps(2).map((step) => (step.host === 'b' ? { ...step, isEnded: true } : step))
  expect(endedBatch(begun, { next: 3, batchHosts: 1, letGoAt: at('01:00') })).toBeNull()
})
