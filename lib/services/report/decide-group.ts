import { comparePositions, type Position } from '@/lib/schemas/agent/report'
import { type EndedInterval, followWatch, type Watch } from './follow-watch'
import type { GroupMember, Outcome, ReportMember } from './group-member'
import type { LockedHost } from './locked-host'

/** What a group does to one host. */
export type HostDecision = {
  host: LockedHost
  /** The reports to apply, oldest first. */
  applied: ReportMember[]
  /** When each of them counts in the host's history, in ms. */
  moments: number[]
  newest: Position
  watch: Watch
  ended: EndedInterval[]
}

export type GroupDecision = { outcomes: Map<GroupMember, Outcome>; hosts: HostDecision[] }

const byPosition = (a: GroupMember, b: GroupMember): number => comparePositions(a.position, b.position)

/** Null: nothing of the members counts for the host. */
const decideHost = (
  host: LockedHost,
  members: readonly GroupMember[],
  outcomes: Map<GroupMember, Outcome>,
): HostDecision | null => {
  const signs: GroupMember[] = []
  let newest = host.position
  let digest = host.digest
  for (const member of members.length > 1 ? members.toSorted(byPosition) : members) {
    if (comparePositions(member.position, newest) <= 0) {
      outcomes.set(member, { kind: 'late', newest })
    } else if (member.kind === 'heartbeat' && member.digest !== digest) {
      outcomes.set(member, { kind: 'conflict' })
    } else {
      newest = member.position
      signs.push(member)
      outcomes.set(member, { kind: 'applied', newest })
      if (member.kind === 'report') digest = member.digest
    }
  }
  if (signs.length === 0) return null
  const { watch, ended, moments: all } = followWatch(host, signs)
  const applied: ReportMember[] = []
  const moments: number[] = []
  for (const [index, member] of signs.entries()) {
    if (member.kind !== 'report') continue
    applied.push(member)
    moments.push(all[index] ?? member.at)
  }
  return { host, applied, moments, newest, watch, ended }
}

/**
 * Decides what each member of a group does, by (enrolment, boot, sequence) alone. Members of one host count in the order of
 * their positions, however they came; what is not newer than the host's newest changes nothing.
 */
export const decideGroup = ({
  members,
  hosts,
}: {
  members: readonly GroupMember[]
  hosts: readonly LockedHost[]
}): GroupDecision => {
  const outcomes = new Map<GroupMember, Outcome>()
  const byHost = new Map<number, { host: LockedHost; members: GroupMember[] }>()
  for (const host of hosts) byHost.set(host.id, { host, members: [] })
  for (const member of members) {
    const { hostId, enrolment, credentialId } = member.actor
    const known = byHost.get(hostId)
    const isValid = known?.host.enrolment === enrolment && known.host.credentialId === credentialId
    if (isValid) known.members.push(member)
    else outcomes.set(member, { kind: 'revoked' })
  }
  const decided: HostDecision[] = []
  for (const { host, members: own } of byHost.values()) {
    const decision = decideHost(host, own, outcomes)
    if (decision !== null) decided.push(decision)
  }
  return { outcomes, hosts: decided }
}
