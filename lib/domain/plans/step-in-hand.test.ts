import { expect, it } from 'vitest'
import type { StepState } from '@/lib/schemas/states'
import { stepInHand } from './step-in-hand'

const steps = (...states: (StepState | `undo ${StepState}`)[]) =>
  states.map((text, position) => ({
    position,
    isUndo: text.startsWith('undo '),
    state: text.replace('undo ', '') as StepState,
    hasEffect: text !== 'pending' && text !== 'undo undone',
  }))

it('is the first that has begun and not ended, else the first that has not begun', () => {
  expect(stepInHand({ state: 'running', steps: steps('done', 'waiting', 'blocked') })?.position).toBe(1)
  expect(stepInHand({ state: 'stopped', steps: steps('done', 'undo undone', 'pending') })?.position).toBe(1)
  expect(stepInHand({ state: 'done', steps: steps('done', 'done') })).toBeUndefined()
})

it('is last on a rollback, even if a manual step of the way there still waits', () => {
  const back = steps('done', 'waiting', 'undo waiting', 'undo undone')
  expect(stepInHand({ state: 'undoing', steps: back })?.position).toBe(2)
  const begun = steps('done', 'waiting', 'done', 'pending')
  expect(stepInHand({ state: 'undoing', steps: begun })?.position).toBe(2)
})
