import 'server-only'
import { API_ALIAS_CHECK, readApiAliases } from '@/lib/domain/cloud/api-aliases'
import { aliasMeaning } from '@/lib/domain/nova-config/alias-takes'
import type { ApiAliasList } from '@/lib/schemas/api/api-alias'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { loadEnteredAliases } from '@/lib/services/cloud/entered-aliases'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { loadHostFacts } from '@/lib/services/cloud-reading/load-host-facts'
import { silentBefore } from '@/lib/services/fleet/silence'

/** The PCI aliases of Nova's API, as reported by its agents or configured by an admin. */
export const getApiAliases = async (ctx: ServiceContext, input: CloudScope): Promise<ApiAliasList> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const hosts = await loadHostFacts(ctx.database, {
    cloudId: cloud.id,
    silentBefore: silentBefore(ctx),
    log: ctx.log,
  })
  const byAgents = readApiAliases(hosts, null)
  const used = readApiAliases(hosts, await loadEnteredAliases(ctx.database, cloud.id))
  const configured = await ctx.database.prisma.apiAlias.findUnique({ where: { cloudId: cloud.id } })
  return {
    cloud: cloud.name,
    hosts: used.hosts.map(({ host, isEntered, aliases, seenAt }) => ({
      host,
      isEntered,
      seenAt,
      aliases: aliases.map((alias) => ({ name: alias.name, means: aliasMeaning(alias) })),
    })),
    because: byAgents.because,
    check: API_ALIAS_CHECK,
    entered:
      configured === null
        ? null
        : { text: configured.text, by: configured.enteredBy, at: configured.enteredAt.toISOString() },
  }
}
