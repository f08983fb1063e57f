import { expect, test } from 'vitest'
import { AgentError } from '@/lib/server/errors/agent-error'
import { createReportAdmission } from './report-admission'

const open = (max = 2000) => {
  let now = 0
  const admission = createReportAdmission({ max, nowMs: () => now })
  const inside: (() => void)[] = []
  /** The seconds until the retry of a refused report; null: admitted. */
  const come = (): number | null => {
    try {
      inside.push(admission.enter())
      return null
    } catch (error) {
      if (!(error instanceof AgentError) || error.code !== 'overloaded') throw error
      return error.retryAfterSeconds ?? 0
    }
  }
  /** How many are let in before one is refused. */
  const fill = (): number => {
    let slots = 0
    while (come() === null) slots += 1
    return slots
  }
  /** Lets so many through in a second, for some seconds. */
  const work = (perSecond: number, seconds: number): void => {
    for (let left = 0; left < perSecond * seconds; left += 1) {
      now += 1000 / perSecond
      inside.shift()?.()
      fill()
    }
  }
  const pass = (seconds: number) => {
    now += seconds * 1000
  }
  return { admission, inside, come, fill, work, pass }
}

test('who finds no room is refused before and after its body, and a place that is given back is free once', () => {
  const { admission, inside, fill, come } = open(10)
  expect(fill()).toBe(10)
  expect(admission.check).toThrow('10 reports are being read and written, and no more are taken.')
  const [leave] = inside
  leave?.()
  leave?.()
  admission.check()
  expect([come(), come()]).toEqual([null, expect.any(Number)])
})

test.each([
  [20, 128],
  [60, 300],
  [300, 1500],
  [3000, 2000],
])('at %i a second there is capacity for %i', (perSecond, slots) => {
  const { inside, fill, work } = open()
  expect(fill()).toBe(2000)
  work(perSecond, 40)
  while (inside.length > 0) inside.pop()?.()
  expect(Math.abs(fill() - slots)).toBeLessThanOrEqual(slots * 0.02)
})

test('a quiet hour does not change the pace', () => {
  const { inside, fill, come, work, pass } = open()
  fill()
  work(300, 12)
  while (inside.length > 0) inside.pop()?.()
  for (let report = 0; report < 3600; report += 1) {
    come()
    pass(1)
    inside.pop()?.()
  }
  expect(fill()).toBeGreaterThan(1400)
})

test('refused hosts get turns at the pace, the first when the queue is half empty', () => {
  const { fill, come } = open()
  fill()
  const delays = Array.from({ length: 3000 }, come)
  expect([delays[0], delays[1499], delays[2499]]).toEqual([2, 3, 4])
})

test('no host waits for more than a minute, and unused turns expire', () => {
  const { fill, come, pass } = open()
  fill()
  const delays = Array.from({ length: 100_000 }, come)
  expect(Math.max(...delays.map((seconds) => seconds ?? 0))).toBe(60)
  pass(120)
  expect(come()).toBe(2)
})
