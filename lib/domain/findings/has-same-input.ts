import type { CloudHostFacts, FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { CLOUD_PARTS, cloudGap } from '@/lib/domain/cloud/freshness'

type Input = Omit<FleetFacts, 'traitMemory'>

/** What rules read in addition to the parts that are compared separately. */
const restOf = (input: Input): string => {
  const { facts, hosts: _, now: __, ...rest } = input
  const { cloud, region, versions } = facts
  const gaps = CLOUD_PARTS.map((part) => [cloudGap(input, part), facts[part].at === null])
  return JSON.stringify([cloud, region, versions, gaps, rest])
}

/** Reports and heartbeats move the times of a host that is not silent. */
const isSameHost = (before: CloudHostFacts, now: CloudHostFacts): boolean =>
  before.name === now.name &&
  before.inventory === now.inventory &&
  before.description === now.description &&
  before.isSilent === now.isSilent &&
  (now.isSilent ? before.seenAt === now.seenAt : before.seenAt <= now.seenAt) &&
  before.agentVersion === now.agentVersion &&
  before.droppedReports === now.droppedReports &&
  JSON.stringify(before.problems) === JSON.stringify(now.problems)

/** A host that has not been seen since a server was created is judged differently once it is seen. */
const haveSeenAllServers = ({ facts, hosts }: Input): boolean => {
  const newest = (facts.servers.value ?? []).reduce(
    (latest, { createdAt }) => (createdAt !== null && createdAt > latest ? createdAt : latest),
    '',
  )
  return hosts.every(({ isSilent, seenAt }) => isSilent || seenAt >= newest)
}

/**
 * Whether all detectors find in `now` what they found in `before`, apart from the times of the evidence. Values of services and
 * descriptions of hosts are compared by identity, so a round has to keep what did not change. Traits that the console remembers
 * are not compared: after a round that stored none they stay the same.
 */
export const hasSameInput = (before: Input, now: Input): boolean =>
  before.hosts.length === now.hosts.length &&
  CLOUD_PARTS.every((part) => before.facts[part].value === now.facts[part].value) &&
  now.hosts.every((host, index) => {
    const known = before.hosts[index]
    return known !== undefined && isSameHost(known, host)
  }) &&
  haveSeenAllServers(before) &&
  restOf(before) === restOf(now)
