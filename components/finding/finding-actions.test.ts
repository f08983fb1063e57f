import { expect, test } from 'vitest'
import { whyNotAcknowledge } from './finding-actions'

test('an admin acknowledges what is open, and again what is acknowledged', () => {
  expect(whyNotAcknowledge({ state: 'open' }, 'admin')).toBeNull()
  expect(whyNotAcknowledge({ state: 'acknowledged' }, 'admin')).toBeNull()
})

test('the refusal names the required role', () => {
  expect(whyNotAcknowledge({ state: 'open' }, 'reader')).toBe(
    'To acknowledge or mute findings, you need the role admin. Ask an admin for it.',
  )
})

test('what is closed needs no acknowledgement', () => {
  expect(whyNotAcknowledge({ state: 'closed' }, 'admin')).toContain('resolved')
})

test('nothing is offered before the role is known', () => {
  expect(whyNotAcknowledge({ state: 'open' }, null)).not.toBeNull()
})
