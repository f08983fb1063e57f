import 'server-only'
import type { CloudHostFacts, Fleet } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import type { CloudFacts } from '@/lib/domain/cloud/types'
import type { ServiceContext } from '@/lib/server/service-context'
import { isSilent } from '@/lib/services/freshness/silence'
import type { StoredHost } from '@/lib/services/host/describe-stored-host'

/** Words about one host are shown with their age; nothing is judged by them here. */
const NEVER_STALE_MS = Number.MAX_SAFE_INTEGER

const hostFactsOf = (ctx: ServiceContext, { row, inventory, description }: StoredHost): CloudHostFacts => {
  const now = ctx.now().toISOString()
  return {
    name: row.name,
    inventory,
    description,
    takenAt: row.takenAt?.toISOString() ?? now,
    seenAt: row.seenAt?.toISOString() ?? now,
    isSilent: isSilent(ctx, row.seenAt),
    agentVersion: row.agentVersion,
    droppedReports: row.droppedReports,
    problems: [],
  }
}

/** One host beside what the cloud said last. */
export const joinStoredHost = (
  ctx: ServiceContext,
  { facts, stored }: { facts: CloudFacts; stored: StoredHost },
): Fleet =>
  joinFleet({
    facts,
    hosts: [hostFactsOf(ctx, stored)],
    now: ctx.now().toISOString(),
    staleAfterMs: NEVER_STALE_MS,
    currentAgentVersion: null,
    traitMemory: [],
    keptTraits: [],
  })
