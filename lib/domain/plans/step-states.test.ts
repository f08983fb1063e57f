import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CHANGE_STATES, STEP_STATES, type StepState } from '@/lib/schemas/states'
import { CHANGE_ACTIONS, isActiveChange, nextChangeState, whyNotAct } from './change-states'
import { nextBackward, nextForward, nextStepState, STEP_EVENTS } from './step-states'

const walk = fc.array(fc.constantFrom(...STEP_EVENTS), { maxLength: 40 })

test('a step is done or undone only through what its check reports, and fails only after it had begun', () => {
  fc.assert(
    fc.property(walk, (events) => {
      let state: StepState = 'pending'
      for (const event of events) {
        const next = nextStepState(state, event)
        if (next === null) continue
        if (next === 'done') expect(event).toBe('happened')
        if (next === 'undone') expect(event).toBe('undone')
        if (next === 'failed') expect(['running', 'waiting', 'blocked', 'failed']).toContain(state)
        state = next
        expect(STEP_STATES).toContain(state)
      }
    }),
  )
})

test('from every state of a step a roll back can begin once it had begun, and nothing is done twice', () => {
  for (const state of STEP_STATES)
    expect(nextStepState(state, 'begin-undo'), state).toBe(
      state === 'pending' || state === 'undone' ? null : 'running',
    )
  expect(nextStepState('done', 'begin')).toBeNull()
})

const status = fc.record({ state: fc.constantFrom(...STEP_STATES), hasEffect: fc.boolean() })

test('forward takes the first step that is not over, backward the last that has an effect', () => {
  fc.assert(
    fc.property(fc.array(status, { maxLength: 12 }), (steps) => {
      const forward = nextForward(steps)
      const isOver = ({ state }: { state: StepState }) => state === 'done' || state === 'skipped'
      expect(steps.slice(0, forward ?? steps.length).every(isOver)).toBe(true)
      const backward = nextBackward(steps)
      expect(steps.slice((backward ?? -1) + 1).some(({ hasEffect }) => hasEffect)).toBe(false)
      if (backward !== null) expect(steps[backward]?.hasEffect).toBe(true)
    }),
  )
})

test('a change holds its pGPUs from its start to its end, and a refused action gives the reason', () => {
  for (const state of CHANGE_STATES) {
    expect(isActiveChange(state)).toBe(
      nextChangeState(state, 'stop') !== null || nextChangeState(state, 'go-on') !== null,
    )
    for (const action of CHANGE_ACTIONS)
      expect(whyNotAct(state, action) === null).toBe(nextChangeState(state, action) !== null)
  }
})

test('a skipped step never begins or completes again; only its effect can be reverted', () => {
  const possible = STEP_EVENTS.filter((event) => nextStepState('skipped', event) !== null)
  expect(possible).toEqual(['begin-undo', 'undone', 'block', 'wait', 'skip'])
})
