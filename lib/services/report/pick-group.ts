import type { GroupMember } from './group-member'

/**
 * The next group of what waits, the oldest first, at most `max`. Where more waits than fits, up to half of it are heartbeats that
 * came later: hosts that were never away must not look silent while others bring what waited for a day. A heartbeat of a host
 * that has a report waiting keeps its place, since a report that a later position overtook would count for nothing.
 */
export const pickGroup = (waiting: readonly GroupMember[], max: number): GroupMember[] => {
  if (waiting.length <= max) return [...waiting]
  const reporting = new Set(
    waiting.filter(({ kind }) => kind === 'report').map(({ actor: { hostId } }) => hostId),
  )
  const ahead = waiting
    .filter(({ kind, actor }) => kind === 'heartbeat' && !reporting.has(actor.hostId))
    .slice(0, Math.floor(max / 2))
  const isAhead = new Set(ahead)
  const rest = waiting.filter((member) => !isAhead.has(member)).slice(0, max - ahead.length)
  return [...ahead, ...rest]
}
