import type { StepTask } from '@/lib/domain/plans/types'
import { writtenTargets } from '@/lib/domain/plans/written-targets'

import { formatNoun } from '@/lib/util/format'
import type { CheckResult } from './step-work'

const PLAN_AGAIN = 'Plan again: a new plan uses the current state.'
export const GOES_ON = 'The step then continues automatically.'
/** For files on hosts. */
export const AS_PLANNED = 'Plan again, or restore the state at planning.'
export const KEEP_CURRENT = 'Skip the step to keep the current value.'

/** A look that found something in the way, and what would take it away. */
export const blocked = (by: string, wayOut = PLAN_AGAIN): CheckResult => ({ state: 'blocked', by, wayOut })

/** What a step writes differs from its state at planning, or from what the step wrote. `targets`: what differs, if not all that it writes. */
export const differs = (
  task: StepTask,
  by: string,
  { wayOut = PLAN_AGAIN, targets = writtenTargets(task) }: { wayOut?: string; targets?: string[] } = {},
): CheckResult => ({ state: 'blocked', by, wayOut, differsAt: targets })

type Wait = { by: string; because?: string; withinSeconds: number }

/** Nothing is in the way: what the step checks follows within the usual time. */
export const waiting = ({ by, because, withinSeconds }: Wait): CheckResult => ({
  state: 'waiting',
  by,
  wayOut: `${because === undefined ? '' : `${because} `}Expected within ${formatNoun(Math.ceil(withinSeconds / 60), 'minute')}.`,
  withinSeconds,
})

/** nova-compute updates Placement at its start and then once a minute (update_resources_interval). */
export const waitingForNova = (by: string, host: string): CheckResult =>
  waiting({
    by,
    because: `nova-compute of ${host} updates Placement at its start and every minute.`,
    withinSeconds: 120,
  })

/** The result of a check on a host whose facts are not reliable. */
export const unreadable = (host: string, reason: string): CheckResult =>
  blocked(
    `The current state of ${host} is unknown: ${reason}.`,
    'The step continues automatically when the host reports again.',
  )
