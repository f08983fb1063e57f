import { expect, test } from 'vitest'
import { actionLabel } from './audit-labels'

test('every action has a label, of a step and of a webhook too', () => {
  expect(actionLabel('change.step.wait')).toBe('Step waits')
  expect(actionLabel('webhook.renew-secret')).toBe('Renewed a webhook’s secret')
  expect(actionLabel('review.make')).toBe('Froze a review')
})

test('an action of another release is shown by its name', () => {
  expect(actionLabel('host.take-over')).toBe('Host: take over')
  expect(actionLabel('change.step.ask-again')).toBe('Change: step ask again')
})
