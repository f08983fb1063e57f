import { expect, test } from 'vitest'
import { actionWords } from './audit-words'

test('an action is told in words, a step’s and a webhook’s too', () => {
  expect(actionWords('change.step.wait')).toBe('Step waits')
  expect(actionWords('webhook.renew-secret')).toBe('Made a webhook’s secret anew')
  expect(actionWords('review.make')).toBe('Froze a review')
})

test('an action of another release is told in its own words', () => {
  expect(actionWords('host.take-over')).toBe('Host: take over')
  expect(actionWords('change.step.ask-again')).toBe('Change: step ask again')
})
