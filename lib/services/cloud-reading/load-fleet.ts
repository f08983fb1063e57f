import 'server-only'
import type { CloudHostFacts, Fleet, FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinInSteps } from '@/lib/domain/cloud/join-fleet'
import type { CloudFacts } from '@/lib/domain/cloud/types'
import { prepareHosts } from '@/lib/domain/fit/prepare-hosts'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { keepByMark } from '@/lib/server/sharing/keep-by-mark'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { factsOfCloud } from '@/lib/services/cloud-reading/facts-of-cloud'
import { loadFleetFacts } from '@/lib/services/cloud-reading/join-cloud'
import { inSlices } from '@/lib/util/in-slices'

/** An inventory stays the same object while its host does not change. */
export const hostMarks = (hosts: readonly CloudHostFacts[]): unknown[] =>
  hosts.flatMap(({ inventory, isSilent }) => [inventory, isSilent])

/** With what the first question about the whole fleet would otherwise compute in one step. */
function* joinPrepared(input: FleetFacts): Generator<void, Fleet> {
  const fleet = yield* joinInSteps(input)
  yield* prepareHosts(fleet)
  return fleet
}

const keepJoined = keepByMark<Fleet>('joined-fleet')

/** Data can become too old while nothing else changes. */
const SHARED_FOR_MS = 30_000

/**
 * The data of OpenStack joined with the last reports of all hosts. Requests share one fleet, and what is computed once for each
 * fleet, for some seconds while nothing changes.
 */
export const shareFleet = async (ctx: ServiceContext, cloud: Cloud, facts: CloudFacts): Promise<Fleet> => {
  const input = await loadFleetFacts(ctx, { cloud, facts })
  const { hosts, staleAfterMs, apiAliases, quotaDriver, removedHosts } = input
  return keepJoined(ctx.database, cloud.id, {
    mark: [
      facts,
      staleAfterMs,
      Math.floor(ctx.now().getTime() / SHARED_FOR_MS),
      JSON.stringify([apiAliases, quotaDriver, removedHosts]),
      ...hostMarks(hosts),
    ],
    signal: ctx.signal,
    work: (signal) => inSlices(joinPrepared(input), signal),
  })
}

/** The fleet of a cloud; null before its first round. For services that checked the permission. */
export const loadFleet = async (ctx: ServiceContext, cloud: Cloud): Promise<Fleet | null> => {
  const stored = await factsOfCloud(ctx, cloud)
  return stored === null ? null : shareFleet(ctx, cloud, stored.facts)
}
