import { listText } from '@/lib/domain/wording'
import type { WebhookDto } from '@/lib/schemas/api/webhook'
import type { DELIVERY_STATES } from '@/lib/schemas/states'

const FINDINGS: Record<NonNullable<WebhookDto['findingSeverity']>, string> = {
  error: 'findings that are errors',
  warning: 'findings from warnings on',
  info: 'all findings',
}

/** The events of a webhook: `findings from warnings on and changes that end or stop`. */
export const wantsWords = ({
  findingSeverity,
  wantsExhaustion,
  wantsChanges,
  wantsFreeFlavors,
}: Pick<WebhookDto, 'findingSeverity' | 'wantsExhaustion' | 'wantsChanges' | 'wantsFreeFlavors'>): string =>
  listText(
    [
      findingSeverity === null ? null : FINDINGS[findingSeverity],
      wantsExhaustion ? 'vGPU types that run out' : null,
      wantsChanges ? 'changes that end or stop' : null,
      wantsFreeFlavors ? 'flavors that are available again' : null,
    ].filter((part) => part !== null),
    4,
  )

type Outcome = { state: (typeof DELIVERY_STATES)[number]; tries: number; failure: string | null }

/** The state of a delivery as a word and a color. */
export const outcomeWord = ({
  state,
  tries,
  failure,
}: Outcome): { word: string; tone: 'quiet' | 'accent' | 'warn' | 'bad' } => {
  if (state === 'taken') return { word: 'taken', tone: 'accent' }
  if (state === 'given-up') return { word: 'failed', tone: 'bad' }
  return tries > 0 && failure !== null
    ? { word: 'tried again', tone: 'warn' }
    : { word: 'waits', tone: 'quiet' }
}

export const FORM_WORDS: Record<WebhookDto['form'], string> = { json: 'as JSON', slack: 'in Slack’s form' }
