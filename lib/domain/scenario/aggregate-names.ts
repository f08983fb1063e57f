import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { hostAggregates } from '@/lib/domain/cloud/host-aggregates'

/** Names of the aggregates of a host, in Nova's order; empty: it is in none, or they have not been read. */
export const aggregateNames = (fleet: Fleet, joined: JoinedHost): string[] =>
  (hostAggregates(fleet, joined) ?? []).map(({ name }) => name)
