import { expect, test } from 'vitest'
import { clockProblem } from './report-clock'

const receivedAt = new Date('2026-03-01T12:00:00Z')
const at = (text: string) => new Date(text)

test('a clock within five minutes is right', () => {
  for (const sentAt of ['2026-03-01T11:55:00Z', '2026-03-01T12:05:00Z'])
    expect(clockProblem({ takenAt: at('2020-01-01T00:00:00Z'), sentAt: at(sentAt), receivedAt })).toBeNull()
})

test('without the time of sending, only a scan in the future shows a wrong clock', () => {
  expect(clockProblem({ takenAt: at('2020-01-01T00:00:00Z'), sentAt: null, receivedAt })).toBeNull()
  expect(clockProblem({ takenAt: at('2026-03-01T12:10:00Z'), sentAt: null, receivedAt })?.message).toContain(
    'about 10 minutes ahead of',
  )
})

test.each([
  ['2026-03-01T11:52:00Z', 'about 10 minutes behind'],
  ['2026-03-01T15:20:00Z', 'about 3 hours ahead of'],
  ['2026-02-20T12:00:00Z', 'about 9 days behind'],
])('a clock of %s is %s', (sentAt, words) => {
  const problem = clockProblem({ takenAt: receivedAt, sentAt: at(sentAt), receivedAt })
  expect(problem).toMatchObject({ source: 'clock', code: 'clock', message: expect.stringContaining(words) })
})
