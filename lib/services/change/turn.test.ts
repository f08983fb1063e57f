import { expect, test } from 'vitest'
import type { StepRow } from './change-rows'
import { waitingForNova } from './step-handlers/blocked'
import { isOverdue } from './turn'

const START = new Date('2026-03-01T12:00:00Z')
const look = waitingForNova('Placement has no resource provider cmp-1 yet.', 'cmp-1')
if (look.state !== 'waiting') throw new Error('a normal wait is waiting')

const after = (minutes: number, rest: Partial<StepRow> = {}): boolean =>
  isOverdue(
    {
      step: { state: 'waiting', note: look.by, changedAt: START, ...rest },
      now: () => new Date(START.getTime() + minutes * 60_000),
    },
    look,
  )

test('a normal wait names its usual duration', () => {
  expect(look.wayOut).toBe(
    'nova-compute of cmp-1 updates Placement at its start and every minute. Expected within 2 minutes.',
  )
})

test('a wait of five times its usual duration is overdue, and stays so', () => {
  expect([after(1), after(10), after(11)]).toEqual([false, false, true])
  expect(after(1, { state: 'blocked' })).toBe(true)
})

test('a new wait starts its own time', () => {
  expect(after(60, { note: 'another wait' })).toBe(false)
  expect(after(60, { state: 'running' })).toBe(false)
  expect(after(60, { changedAt: null })).toBe(false)
})
