import { actorWords } from '@/lib/domain/wording'

/** When a change may do its steps by itself; moments in ISO 8601. */
export type ChangeWindow = { from: string; until: string }

/** What a change is bound to beside its plan. */
export type ChangeTerms = {
  /** Another person than the one who planned it has to approve it before it starts. */
  needsApproval: boolean
  /** Null: at any time. */
  window: ChangeWindow | null
  /** After so many hosts it stops and waits for a person; null: it goes through. */
  batchHosts: number | null
}

/** Where a moment lies to a window; without a window every moment is within. */
export const windowAt = (window: ChangeWindow | null, at: Date): 'early' | 'open' | 'over' => {
  if (window === null) return 'open'
  if (at.getTime() < Date.parse(window.from)) return 'early'
  return at.getTime() < Date.parse(window.until) ? 'open' : 'over'
}

/** Why a change can't start or go on under its terms, in one sentence; null when it can. */
export const whyNotStart = (
  { needsApproval, window, approvedBy }: ChangeTerms & { approvedBy: string | null },
  at: Date,
): string | null => {
  if (needsApproval && approvedBy === null)
    return 'The change needs the approval of a second person: an admin who did not plan it presses Approve.'
  return windowAt(window, at) === 'over'
    ? `The change window closed at ${window?.until}: set another window first.`
    : null
}

/** Somebody's API token is no second person. */
const personOf = (actor: string): string => actor.replace(/\/api-token:\d+$/, '')

/** Why somebody can't approve a change, in one sentence; null when they can. Actors as the audit has them. */
export const whyNotApprove = (
  {
    state,
    needsApproval,
    approvedBy,
    madeBy,
  }: { state: string; needsApproval: boolean; approvedBy: string | null; madeBy: string },
  who: string,
): string | null => {
  if (state !== 'planned' && state !== 'stopped')
    return 'Only a change that has not begun or that has stopped can be approved.'
  if (!needsApproval) return 'The change needs no approval.'
  if (approvedBy !== null) return `${actorWords(approvedBy)} has approved it already.`
  return personOf(madeBy) === personOf(who)
    ? 'You planned this change: a second person has to approve it.'
    : null
}

/** A step as its place in the batches needs it. */
type BatchStep = {
  /** Null: it belongs to no host alone. */
  host: string | null
  isEnded: boolean
  changedAt: Date | null
}

/**
 * Whether a batch is full before the step at `next`: so many hosts have been ended since a person last let it go on, and
 * the step would begin with another. Null: it may go on.
 */
export const endedBatch = (
  steps: readonly BatchStep[],
  { next, batchHosts, letGoAt }: { next: number; batchHosts: number | null; letGoAt: Date },
): { batch: number; batches: number } | null => {
  const host = steps[next]?.host ?? null
  if (batchHosts === null || host === null) return null
  const hosts = [...new Set(steps.flatMap((step) => (step.host === null ? [] : [step.host])))]
  const place = hosts.indexOf(host)
  const isFirstOfBatch = place > 0 && place % batchHosts === 0
  if (!isFirstOfBatch || steps.some((step) => step.host === host && step.isEnded)) return null
  const before = steps.filter((step) => step.host !== null && hosts.indexOf(step.host) < place)
  const endedAt = Math.max(...before.map(({ changedAt }) => changedAt?.getTime() ?? 0))
  return letGoAt.getTime() > endedAt
    ? null
    : { batch: place / batchHosts, batches: Math.ceil(hosts.length / batchHosts) }
}
