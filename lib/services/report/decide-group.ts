import { comparePositions, type Position } from '@/lib/schemas/agent/report'
import { type EndedStretch, followWatch, type Watch } from './follow-watch'
import type { GroupMember, Outcome, ReportMember } from './group-member'
import type { LockedHost } from './locked-host'

/** What a group does to one host. */
export type HostDecision = {
  host: LockedHost
  /** The reports to apply, oldest first. */
  applied: ReportMember[]
  newest: Position
  /** When each member that counts does so in the host's history, in ms; empty: nothing of this group counts for the host. */
  moments: ReadonlyMap<GroupMember, number>
  watch: Watch
  ended: EndedStretch[]
}

/** The host's row once the decision is carried out. */
export const hostAfter = ({ host, applied, newest, watch }: HostDecision): LockedHost => ({
  ...host,
  position: newest,
  digest: applied.at(-1)?.digest ?? host.digest,
  version: host.version + applied.length,
  watch,
})

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
  const applied: ReportMember[] = []
  const signs: GroupMember[] = []
  let newest = host.position
  let digest = host.digest
  for (const member of members.toSorted(byPosition)) {
    if (comparePositions(member.position, newest) <= 0) {
      outcomes.set(member, { kind: 'late', newest })
    } else if (requiredDigest(member) !== null && requiredDigest(member) !== digest) {
      outcomes.set(member, { kind: 'conflict' })
    } else {
      newest = member.position
      signs.push(member)
      outcomes.set(member, { kind: 'applied', newest })
      if (member.kind === 'report') {
        digest = member.digest
        applied.push(member)
      }
    }
  }
  const { watch, ended, moments } = followWatch(host, signs)
  const momentOf = new Map(signs.map((member, place) => [member, moments[place] ?? member.at]))
  return { host, applied, newest, moments: momentOf, watch, ended }
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
  const byHost = new Map<number, GroupMember[]>()
  const hostById = new Map(hosts.map((host) => [host.id, host]))
  for (const member of members) {
    const { hostId, enrolment, credentialId } = member.actor
    const host = hostById.get(hostId)
    const isValid = host?.enrolment === enrolment && host.credentialId === credentialId
    if (!isValid) outcomes.set(member, { kind: 'revoked' })
    else byHost.set(hostId, [...(byHost.get(hostId) ?? []), member])
  }
  const decided = hosts
    .filter((host) => byHost.has(host.id))
    .map((host) => decideHost(host, byHost.get(host.id) ?? [], outcomes))
  return { outcomes, hosts: decided.filter(({ moments }) => moments.size > 0) }
}
