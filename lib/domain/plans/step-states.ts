import type { StepState } from '@/lib/schemas/states'

/**
 * - `begin`, `begin-undo`: the intent is recorded, the call comes next.
 * - `happened`, `undone`: the goal is reached, by the step's own check.
 * - `block`: a named condition prevents it; `wait`: for a person, an agent or an answer.
 * - `fail`: it was refused. `skip`: a person gave the reason.
 */
export const STEP_EVENTS = [
  'begin',
  'begin-undo',
  'happened',
  'undone',
  'block',
  'wait',
  'fail',
  'skip',
] as const
export type StepEvent = (typeof STEP_EVENTS)[number]

const AT_REST = {
  begin: 'running',
  'begin-undo': 'running',
  happened: 'done',
  undone: 'undone',
  block: 'blocked',
  wait: 'waiting',
  fail: 'failed',
  skip: 'skipped',
} as const

const TABLE: Readonly<Record<StepState, Partial<Record<StepEvent, StepState>>>> = {
  pending: { begin: 'running', happened: 'done', block: 'blocked', wait: 'waiting', skip: 'skipped' },
  running: {
    begin: 'running',
    'begin-undo': 'running',
    happened: 'done',
    undone: 'undone',
    block: 'blocked',
    wait: 'waiting',
    fail: 'failed',
  },
  waiting: AT_REST,
  blocked: AT_REST,
  failed: AT_REST,
  done: { 'begin-undo': 'running', undone: 'undone', block: 'blocked', wait: 'waiting', skip: 'skipped' },
  undone: { begin: 'running', happened: 'done', block: 'blocked', wait: 'waiting', skip: 'skipped' },
  // Skipped after it had begun: its effect may still be reverted.
  skipped: { 'begin-undo': 'running', undone: 'undone', block: 'blocked', wait: 'waiting', skip: 'skipped' },
}

/** The state after an event; null: that can't happen to a step in this state. */
export const nextStepState = (state: StepState, event: StepEvent): StepState | null =>
  TABLE[state][event] ?? null

type StepStatus = { state: StepState; hasEffect: boolean }

/** Position of the step that is next when a change runs; null: all are done or skipped. */
export const nextForward = (steps: readonly StepStatus[]): number | null => {
  const position = steps.findIndex(({ state }) => state !== 'done' && state !== 'skipped')
  return position === -1 ? null : position
}

/** Position of the step that is next when a change is rolled back: the last that did, or may have done, something. */
export const nextBackward = (steps: readonly StepStatus[]): number | null => {
  const position = steps.findLastIndex(({ hasEffect }) => hasEffect)
  return position === -1 ? null : position
}
