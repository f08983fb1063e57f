import { listText } from '@/lib/domain/wording'
import type { WebhookDto } from '@/lib/schemas/api/webhook'
import type { DELIVERY_STATES } from '@/lib/schemas/states'

const FINDINGS: Record<NonNullable<WebhookDto['findingSeverity']>, string> = {
  error: 'findings (errors only)',
  warning: 'findings (errors and warnings)',
  info: 'all findings',
}

/** The events of a webhook: `findings (errors and warnings) and completed and stopped changes`. */
export const subscriptionText = ({
  findingSeverity,
  wantsExhaustion,
  wantsChanges,
  wantsFreeFlavors,
}: Pick<WebhookDto, 'findingSeverity' | 'wantsExhaustion' | 'wantsChanges' | 'wantsFreeFlavors'>): string =>
  listText(
    [
      findingSeverity === null ? null : FINDINGS[findingSeverity],
      wantsExhaustion ? 'exhausted vGPU types' : null,
      wantsChanges ? 'completed and stopped changes' : null,
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
  if (state === 'taken') return { word: 'delivered', tone: 'accent' }
  if (state === 'given-up') return { word: 'failed', tone: 'bad' }
  return tries > 0 && failure !== null
    ? { word: 'retrying', tone: 'warn' }
    : { word: 'pending', tone: 'quiet' }
}

export const FORMAT_LABELS: Record<WebhookDto['form'], string> = { json: 'as JSON', slack: 'in Slack format' }
