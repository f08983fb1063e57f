import type { StepPhase } from '@/lib/domain/plans/step-phase'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { ListedChange } from '@/lib/schemas/api/change-list'
import type { ChangeStep } from '@/lib/schemas/api/change-steps'
import { formatNoun } from '@/lib/util/format'

type Tone = 'quiet' | 'accent' | 'warn' | 'bad'

/** The state of a change as a tag. */
export const CHANGE_STATE_TAGS: Readonly<Record<ChangeDetail['state'], { word: string; tone: Tone }>> = {
  planned: { word: 'planned', tone: 'quiet' },
  running: { word: 'running', tone: 'accent' },
  stopped: { word: 'stopped', tone: 'warn' },
  undoing: { word: 'rolling back', tone: 'accent' },
  done: { word: 'done', tone: 'quiet' },
  undone: { word: 'rolled back', tone: 'quiet' },
  dropped: { word: 'dropped', tone: 'quiet' },
}

export const STEP_STATE_TONES: Readonly<Record<ChangeStep['state'], Tone>> = {
  pending: 'quiet',
  running: 'accent',
  waiting: 'accent',
  blocked: 'warn',
  done: 'quiet',
  failed: 'bad',
  undone: 'quiet',
  skipped: 'quiet',
}

export const PHASE_LABELS: Readonly<Record<StepPhase, string>> = {
  prepare: 'Prepare',
  drain: 'Drain',
  reconfigure: 'Reconfigure',
  verify: 'Verify',
  enable: 'Enable',
}

/** Who does a step, as text for the reader of the page. */
export const executorLabel = (doer: ChangeStep['doer'], isByHand: boolean): string =>
  isByHand || doer === 'operator' ? 'you' : doer

export const isMoving = (state: ChangeDetail['state']): boolean => state === 'running' || state === 'undoing'

/** What a roll back would do now. */
export const rollbackText = ({ state, effects }: Pick<ChangeDetail, 'state' | 'effects'>): string => {
  if (state === 'undone') return 'It is rolled back.'
  if (effects === null) return 'No completed step needs a rollback.'
  const { steps, first, last } = effects
  const isWhole = steps === last - first + 1
  const which =
    steps === 1
      ? `Step ${first + 1} is`
      : isWhole
        ? `Steps ${last + 1} to ${first + 1} are`
        : `Of the steps ${last + 1} to ${first + 1}, ${steps} are`
  return `${which} undone${steps === 1 ? '' : ', in reverse order'}. Changes by others stay.`
}

/** How far a listed change is. */
export const formatProgress = ({ state, endedSteps, stepCount }: ListedChange): string =>
  state === 'planned' || state === 'undone'
    ? formatNoun(stepCount, 'step')
    : `${endedSteps} of ${formatNoun(stepCount, 'step')}`
