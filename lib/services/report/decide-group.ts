import { comparePositions, type Position } from '@/lib/schemas/agent/report'
import type { GroupMember, Outcome, ReportMember } from './group-member'

/** A host's row and the credentials in force, as the transaction that holds the row locked reads them. */
export type LockedHost = {
  id: number
  enrolment: number
  position: Position
  digest: string | null
  /** `host.applied_reports`. */
  version: number
}

/** What a group does to one host. */
export type HostDecision = {
  host: LockedHost
  /** The reports to apply, oldest first. */
  applied: ReportMember[]
  newest: Position
  /** False: nothing of this group counts for the host. */
  isSeen: boolean
}

export type GroupDecision = { outcomes: Map<GroupMember, Outcome>; hosts: HostDecision[] }

const byPosition = (a: GroupMember, b: GroupMember): number => comparePositions(a.position, b.position)

/** What must be the newest digest for the member to mean anything: a heartbeat's own, a difference's base. */
const requiredDigest = (member: GroupMember): string | null =>
  member.kind === 'heartbeat' ? member.digest : member.body.base

const decideHost = (
  host: LockedHost,
  members: readonly GroupMember[],
  outcomes: Map<GroupMember, Outcome>,
): HostDecision => {
  const decision: HostDecision = { host, applied: [], newest: host.position, isSeen: false }
  let digest = host.digest
  for (const member of members.toSorted(byPosition)) {
    if (comparePositions(member.position, decision.newest) <= 0) {
      outcomes.set(member, { kind: 'late', newest: decision.newest })
    } else if (requiredDigest(member) !== null && requiredDigest(member) !== digest) {
      outcomes.set(member, { kind: 'conflict' })
    } else {
      decision.newest = member.position
      decision.isSeen = true
      outcomes.set(member, { kind: 'applied', newest: member.position })
      if (member.kind === 'report') {
        digest = member.digest
        decision.applied.push(member)
      }
    }
  }
  return decision
}

/**
 * Decides what each member of a group does, by (enrolment, boot, sequence) alone. Members of one host count in the order of
 * their positions, however they came; what is not newer than the host's newest changes nothing.
 */
export const decideGroup = ({
  members,
  hosts,
  validCredentials,
}: {
  members: readonly GroupMember[]
  hosts: readonly LockedHost[]
  /** Ids of those credentials of the members that are not revoked. */
  validCredentials: ReadonlySet<number>
}): GroupDecision => {
  const outcomes = new Map<GroupMember, Outcome>()
  const byHost = new Map<number, GroupMember[]>()
  const hostById = new Map(hosts.map((host) => [host.id, host]))
  for (const member of members) {
    const { hostId, enrolment, credentialId } = member.actor
    const isValid = hostById.get(hostId)?.enrolment === enrolment && validCredentials.has(credentialId)
    if (!isValid) outcomes.set(member, { kind: 'revoked' })
    else byHost.set(hostId, [...(byHost.get(hostId) ?? []), member])
  }
  const decided = hosts
    .filter((host) => byHost.has(host.id))
    .map((host) => decideHost(host, byHost.get(host.id) ?? [], outcomes))
  return { outcomes, hosts: decided.filter(({ isSeen }) => isSeen) }
}
