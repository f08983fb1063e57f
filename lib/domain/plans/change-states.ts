import type { ChangeState } from '@/lib/schemas/states'

/** What a person does to a change. */
export const CHANGE_ACTIONS = ['start', 'stop', 'go-on', 'roll-back', 'drop'] as const
export type ChangeAction = (typeof CHANGE_ACTIONS)[number]

/** Automatic events: the last step ended, or one was refused. */
type ChangeEvent = ChangeAction | 'finish' | 'fail'

const TABLE: Readonly<Record<ChangeState, Partial<Record<ChangeEvent, ChangeState>>>> = {
  planned: { start: 'running', drop: 'dropped' },
  running: { stop: 'stopped', 'roll-back': 'undoing', finish: 'done', fail: 'stopped' },
  stopped: { 'go-on': 'running', 'roll-back': 'undoing', drop: 'dropped' },
  undoing: { stop: 'stopped', 'go-on': 'running', finish: 'undone', fail: 'stopped' },
  done: { 'roll-back': 'undoing' },
  undone: {},
  dropped: {},
}

/** The state after an event; null: that can't be done to a change in this state. */
export const nextChangeState = (state: ChangeState, event: ChangeEvent): ChangeState | null =>
  TABLE[state][event] ?? null

/** Whether the change holds its pGPUs, so that no other may begin on them. */
export const isActiveChange = (state: ChangeState): boolean =>
  state === 'running' || state === 'stopped' || state === 'undoing'

const STATE_LABELS: Readonly<Record<ChangeState, string>> = {
  planned: 'planned and not started',
  running: 'running',
  stopped: 'stopped',
  undoing: 'being rolled back',
  done: 'done',
  undone: 'rolled back',
  dropped: 'dropped',
}

const ACTION_LABELS: Readonly<Record<ChangeAction, string>> = {
  start: 'started',
  stop: 'paused',
  'go-on': 'resumed',
  'roll-back': 'rolled back',
  drop: 'dropped',
}

/** Why an action can't be done now, in one sentence; null when it can. */
export const whyNotAct = (state: ChangeState, action: ChangeAction): string | null =>
  nextChangeState(state, action) === null
    ? `The change is ${STATE_LABELS[state]}, so it can't be ${ACTION_LABELS[action]}.`
    : null

const ACTION_NAMES: Readonly<Record<string, string>> = {
  plan: 'Plan',
  skip: 'Skip',
  'set-terms': 'Set the policy',
  approve: 'Approve',
  start: 'Start',
  stop: 'Pause',
  'go-on': 'Resume',
  'roll-back': 'Roll back',
  drop: 'Discard',
}

/** `Roll back`: the label of a person's last action. */
export const actionLabel = (action: string): string => ACTION_NAMES[action] ?? action
