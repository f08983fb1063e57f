import { expect, test } from 'vitest'
import { actionWords } from './audit-words'

test('every action has a label, of a step and of a webhook too', () => {
  expect(actionWords('change.step.wait')).toBe('Step waits')
  expect(actionWords('webhook.renew-secret')).toBe('Renewed a webhook’s secret')
  expect(actionWords('review.make')).toBe('Froze a review')
})

test('an action of another release is shown by its name', () => {
  expect(actionWords('host.take-over')).toBe('Host: take over')
  expect(actionWords('change.step.ask-again')).toBe('Change: step ask again')
})
