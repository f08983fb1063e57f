import 'server-only'
import { API_ALIAS_CHECK, readApiAliases } from '@/lib/domain/cloud/api-aliases'
import { describePci } from '@/lib/domain/cloud/describe-pci'
import { aliasMeaning } from '@/lib/domain/nova-config/alias-takes'
import type { HostPci } from '@/lib/schemas/api/host-pci'
import { type HostScope, hostScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { loadEnteredAliases } from '@/lib/services/cloud/entered-aliases'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { factsOfCloud, neverReadFacts } from '@/lib/services/cloud-reading/facts-of-cloud'
import { joinStoredHost } from '@/lib/services/cloud-reading/join-stored-host'
import { loadHostFacts } from '@/lib/services/cloud-reading/load-host-facts'
import { isSilent, silentBefore } from '@/lib/services/fleet/silence'
import { describeStoredHost } from '@/lib/services/stored-host/describe-stored-host'

/** device_spec and alias of one host, and the aliases of Nova's API as the agents there report them. */
export const getHostPci = async (ctx: ServiceContext, input: HostScope): Promise<HostPci> => {
  requirePermission(ctx, 'fleet.read')
  const { host, ...scope } = parseInput(hostScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const stored = await describeStoredHost(ctx, { cloud, host })
  const facts = (await factsOfCloud(ctx, cloud))?.facts ?? neverReadFacts(ctx, cloud)
  const [joined] = joinStoredHost(ctx, { facts, stored }).hosts
  const all = await loadHostFacts(ctx.database, {
    cloudId: cloud.id,
    silentBefore: silentBefore(ctx),
    log: ctx.log,
  })
  const api = readApiAliases(all, await loadEnteredAliases(ctx.database, cloud.id))
  return {
    cloud: cloud.name,
    host: stored.row.name,
    isSilent: isSilent(ctx, stored.row.seenAt),
    pci: joined === undefined ? null : describePci(joined, api),
    api: {
      hosts: api.hosts.map(({ host: name, aliases }) => ({
        host: name,
        isSelf: name === stored.row.name,
        aliases: aliases.map((alias) => ({
          name: alias.name,
          means: aliasMeaning(alias),
          source: alias.source,
        })),
      })),
      because: api.because,
      check: API_ALIAS_CHECK,
    },
  }
}
