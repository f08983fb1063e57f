import { expect, test } from 'vitest'
import { sessionEndSentence } from './session-end-sentence'
import { sessionEnd } from './session-state'

const START = Date.parse('2026-11-21T08:00:00Z')
const at = (minutes: number) => new Date(START + minutes * 60_000)
const row = {
  createdAt: at(0),
  lastUsedAt: at(0),
  tokenExpiresAt: at(24 * 60),
  expiresAt: at(8 * 60),
  endedAt: null,
  endReason: null,
}
const sentenceOf = (given: Partial<Record<keyof typeof row, Date | string | null>>, minutes: number) =>
  sessionEndSentence(sessionEnd({ ...row, ...given } as typeof row, { idleMs: 30 * 60_000 }, at(minutes)))

test('a session that expired reports after how long', () => {
  expect(sentenceOf({}, 30)).toBe('Your session expired after 30 min without use.')
  expect(sentenceOf({ lastUsedAt: at(8 * 60 - 1) }, 8 * 60)).toBe(
    'Your session expired after 8 h, the maximum of this console.',
  )
  expect(sentenceOf({ lastUsedAt: at(59), tokenExpiresAt: at(60) }, 60)).toBe(
    'Your session expired after 1 h, with its Keystone token.',
  )
})

test('a session that was ended reports by what', () => {
  expect(sentenceOf({ endedAt: at(5), endReason: 'ended-elsewhere' }, 90)).toBe(
    'This session was ended from another one of yours.',
  )
  expect(sentenceOf({ endedAt: at(5), endReason: 'refused' }, 90)).toMatch(/^Keystone revoked this session/)
})
