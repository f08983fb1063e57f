import 'server-only'
import type { EnteredAliases } from '@/lib/domain/cloud/api-aliases'
import type { CloudHostFacts, Fleet } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import type { CloudFacts } from '@/lib/domain/cloud/types'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { loadEnteredAliases } from '@/lib/services/cloud/entered-aliases'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { isSilent, silentBefore } from '@/lib/services/fleet/silence'
import type { StoredHost } from '@/lib/services/stored-host/describe-stored-host'
import { loadHostFacts } from './load-host-facts'

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

/** The sources of the aliases of Nova's API: its hosts, and the admin's entry. */
type ApiAliasSources = { hosts: readonly CloudHostFacts[]; configured: EnteredAliases | null }

/** For the few answers that need aliases: searches all hosts of the cloud for those that run Nova's API. */
export const loadApiAliasSources = async (ctx: ServiceContext, cloud: Cloud): Promise<ApiAliasSources> => {
  const hosts = await loadHostFacts(ctx.database, {
    cloudId: cloud.id,
    silentBefore: silentBefore(ctx),
    log: ctx.log,
  })
  return {
    hosts: hosts.filter(({ inventory }) => inventory.host.novaApi != null),
    configured: await loadEnteredAliases(ctx.database, cloud.id),
  }
}

/** One host joined with the last facts of the cloud; it comes first, before the hosts of Nova's API. */
export const joinStoredHost = (
  ctx: ServiceContext,
  { facts, stored, api }: { facts: CloudFacts; stored: StoredHost; api?: ApiAliasSources | null },
): Fleet =>
  joinFleet({
    facts,
    hosts: [hostFactsOf(ctx, stored), ...(api?.hosts ?? []).filter(({ name }) => name !== stored.row.name)],
    apiAliases: api?.configured ?? null,
    now: ctx.now().toISOString(),
    staleAfterMs: NEVER_STALE_MS,
    currentAgentVersion: null,
    traitMemory: [],
    managedTraits: [],
  })
