import type { ChangeState, RequestState } from '@/lib/schemas/states'

/**
 * The status of a request, its changes included. `writing`: approved, the change that writes the limit has not ended.
 * `unwritten`: that change was discarded, so the request is open again. `reverted`: the change was rolled back, and the request
 * is open again. `ending`: a change restores the limit of before. `left`: the end date came, and the limit was not restored.
 */
export type RequestStatus =
  | 'open'
  | 'writing'
  | 'unwritten'
  | 'reverted'
  | 'granted'
  | 'ending'
  | 'ended'
  | 'left'
  | 'declined'
  | 'withdrawn'

export type RequestFacts = {
  state: RequestState
  /** Of the change that writes the limit, and of the one that takes it back; null: there is none. */
  changeState: ChangeState | null
  backChangeState: ChangeState | null
  endNote: string | null
}

const approvedStatus = ({ changeState, backChangeState }: RequestFacts): RequestStatus => {
  if (changeState === null || changeState === 'dropped') return 'unwritten'
  if (changeState === 'undone') return 'reverted'
  if (changeState !== 'done') return 'writing'
  return backChangeState === null ? 'granted' : 'ending'
}

export const requestStatus = (facts: RequestFacts): RequestStatus => {
  if (facts.state === 'approved') return approvedStatus(facts)
  if (facts.state === 'ended') return facts.endNote === null ? 'ended' : 'left'
  return facts.state
}

const UNDECIDED = ['open', 'unwritten', 'reverted'] as const
type Undecided = (typeof UNDECIDED)[number]

/** Whether the request is open: an admin decides it, the project may withdraw it. */
export const isUndecided = (status: RequestStatus): status is Undecided =>
  UNDECIDED.some((open) => open === status)

const DECIDED: Readonly<Record<Exclude<RequestStatus, Undecided>, string>> = {
  writing: 'is approved, and a change writes its limit',
  granted: 'is granted',
  ending: 'was granted, and its limit is being reverted',
  ended: 'was granted and has ended',
  left: 'was granted and has ended',
  declined: 'is declined',
  withdrawn: 'was withdrawn',
}

/** Why a request can't be decided, as the end of a sentence; null: it can. */
export const whyNotDecide = (status: RequestStatus): string | null =>
  isUndecided(status) ? null : DECIDED[status]

const DAY_MS = 86_400_000
/** An end date further away is no end date. */
const MAX_DAYS = 1830

/** What is wrong with an end date, as the end of a sentence; null: nothing. */
export const untilProblem = (until: Date | null, now: Date): string | null => {
  if (until === null) return null
  if (until.getTime() <= now.getTime()) return 'must be later than now'
  return until.getTime() - now.getTime() > MAX_DAYS * DAY_MS
    ? `must be within ${MAX_DAYS} days; omit it for a permanent limit`
    : null
}
