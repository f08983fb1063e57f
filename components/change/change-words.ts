import type { ChangeDetail, ChangeStep, ListedChange } from '@/lib/schemas/api/change'
import { formatNoun } from '@/lib/util/format'

type Tone = 'quiet' | 'accent' | 'warn' | 'bad'

/** The state of a change, as a tag says it. */
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

/** Who does a step, in the words of whoever looks at the page. */
export const doerWords = (doer: ChangeStep['doer'], isByHand: boolean): string =>
  isByHand || doer === 'operator' ? 'you' : doer

export const isMoving = (state: ChangeDetail['state']): boolean => state === 'running' || state === 'undoing'

/** What a roll back would do now. */
export const rollBackWords = ({ state, steps }: Pick<ChangeDetail, 'state' | 'steps'>): string => {
  if (state === 'undone') return 'It is rolled back.'
  const numbers = steps.filter(({ hasEffect }) => hasEffect).map(({ position }) => position + 1)
  const [first] = numbers
  const last = numbers.at(-1)
  if (first === undefined || last === undefined) return 'No completed step needs a rollback.'
  const isWhole = numbers.length === last - first + 1
  const which =
    numbers.length === 1
      ? `Step ${first} is`
      : isWhole
        ? `Steps ${last} to ${first} are`
        : `Of the steps ${last} to ${first}, ${numbers.length} are`
  return `${which} undone${numbers.length === 1 ? '' : ', in reverse order'}. Changes by others stay.`
}

/** How far a listed change is. */
export const progressWords = ({ state, endedSteps, stepCount }: ListedChange): string =>
  state === 'planned' || state === 'undone'
    ? formatNoun(stepCount, 'step')
    : `${endedSteps} of ${formatNoun(stepCount, 'step')}`
