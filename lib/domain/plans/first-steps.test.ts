import { expect, it } from 'vitest'
import { firstSteps } from './first-steps'

const step = (position: number) => ({ position, calls: ['GET /v3'], command: 'true', undoCommand: '' })
const steps = [0, 1, 2].map(step)

it('has as many steps as their texts allow, at least one', () => {
  expect(firstSteps(steps, 33)).toEqual(steps)
  expect(firstSteps(steps, 32)).toEqual(steps.slice(0, 2))
  expect(firstSteps(steps, 5)).toEqual(steps.slice(0, 1))
  expect(firstSteps([], 5)).toEqual([])
})
