import { actorLabel } from '@/lib/domain/wording'

/** When a change may run its steps automatically; times in ISO 8601. */
export type ChangeWindow = { from: string; until: string }

/** The conditions of a change in addition to its plan. */
export type ChangeTerms = {
  /** Another person than the one who planned it has to approve it before it starts. */
  needsApproval: boolean
  /** Null: at any time. */
  window: ChangeWindow | null
  /** The number of hosts after which it stops and waits for a person; null: it does not stop. */
  batchHosts: number | null
}

/** Where a moment lies to a window; without a window every moment is within. */
export const windowAt = (window: ChangeWindow | null, at: Date): 'early' | 'open' | 'over' => {
  if (window === null) return 'open'
  if (at.getTime() < Date.parse(window.from)) return 'early'
  return at.getTime() < Date.parse(window.until) ? 'open' : 'over'
}

/** Why a change cannot start or continue under its terms, in one sentence; null if it can. */
export const whyNotStart = (
  { needsApproval, window, approvedBy }: ChangeTerms & { approvedBy: string | null },
  at: Date,
): string | null => {
  if (needsApproval && approvedBy === null)
    return 'The change needs the approval of a second person. An admin who did not plan it must select Approve.'
  return windowAt(window, at) === 'over'
    ? `The change window closed at ${window?.until}. Set another window first.`
    : null
}

/** A person's API token is not a second person. */
const personOf = (actor: string): string => actor.replace(/\/api-token:\d+$/, '')

/** Why a person cannot approve a change, in one sentence; null if they can. Actors as in the audit. */
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
    return 'Only a change that is not started or is stopped can be approved.'
  if (!needsApproval) return 'The change needs no approval.'
  if (approvedBy !== null) return `${actorLabel(approvedBy)} has approved it already.`
  return personOf(madeBy) === personOf(who)
    ? 'You planned this change, so a second person must approve it.'
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
 * The size of the full batch before the step at `next`: so many hosts have been completed since a person last continued
 * the change, and the step would begin with another. Null: it may continue.
 */
export const endedBatch = (
  steps: readonly BatchStep[],
  { next, batchHosts, letGoAt }: { next: number; batchHosts: number | null; letGoAt: Date },
): { batch: number; batches: number } | null => {
  const host = steps[next]?.host ?? null
  if (batchHosts === null || host === null) return null
  const hosts = [...new Set(steps.flatMap((step) => (step.host === null ? [] : [step.host])))]
  const index = hosts.indexOf(host)
  const isFirstOfBatch = index > 0 && index % batchHosts === 0
  if (!isFirstOfBatch || steps.some((step) => step.host === host && step.isEnded)) return null
  const before = steps.filter((step) => step.host !== null && hosts.indexOf(step.host) < index)
  const endedAt = Math.max(...before.map(({ changedAt }) => changedAt?.getTime() ?? 0))
  return letGoAt.getTime() > endedAt
    ? null
    : { batch: index / batchHosts, batches: Math.ceil(hosts.length / batchHosts) }
}
