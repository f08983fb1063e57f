import 'server-only'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { cloudGap } from '@/lib/domain/cloud/freshness'
import { arrangeServers, countServers } from '@/lib/domain/gpu-server/arrange-servers'
import { gpuServersInSteps } from '@/lib/domain/gpu-server/gpu-servers'
import { type GpuServer, type GpuServerList, HOST_GAP_KINDS } from '@/lib/schemas/api/gpu-server'
import { type GpuServerListScope, gpuServerListScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { keepByMark } from '@/lib/server/sharing/keep-by-mark'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { factsOfCloud, neverReadFacts } from '@/lib/services/cloud-reading/facts-of-cloud'
import { shareFleet } from '@/lib/services/cloud-reading/load-fleet'
import { fleetMark } from '@/lib/services/fit/fleet-mark'
import { inSlices } from '@/lib/util/in-slices'
import { pageOf } from '@/lib/util/page-of'

/** A page of servers with long names and several vGPUs each stays below 500 kB. */
const MAX_LIMIT = 500
const MAX_EXAMPLES = 3

const keepServers = keepByMark<GpuServer[]>('gpu-servers')

/** Hosts by why their servers are unknown or outdated. */
const hostGapsOf = ({ hosts, unseen }: Fleet): GpuServerList['hostGaps'] => {
  const names: Record<(typeof HOST_GAP_KINDS)[number], string[]> = {
    silent: hosts.filter(({ host }) => host.isSilent).map(({ host }) => host.name),
    absent: unseen.map(({ hypervisorHostname }) => hypervisorHostname),
    unread: hosts.filter(({ host }) => host.description.guestGap !== null).map(({ host }) => host.name),
  }
  return HOST_GAP_KINDS.filter((kind) => names[kind].length > 0).map((kind) => ({
    kind,
    count: names[kind].length,
    examples: names[kind].slice(0, MAX_EXAMPLES),
  }))
}

/** Servers that have a vGPU or a GPU in passthrough, by the reports of the hosts and by what was read from OpenStack last. */
export const listGpuServers = async (
  ctx: ServiceContext,
  input: GpuServerListScope,
): Promise<GpuServerList> => {
  requirePermission(ctx, 'fleet.read')
  const { limit, cursor, q, state, sort, desc, ...scope } = parseInput(gpuServerListScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const stored = await factsOfCloud(ctx, cloud)
  const fleet = await shareFleet(ctx, cloud, stored?.facts ?? neverReadFacts(ctx, cloud))
  const servers = await keepServers(ctx.database, cloud.id, {
    mark: fleetMark(fleet),
    signal: ctx.signal,
    work: (signal) => inSlices(gpuServersInSteps(fleet), signal),
  })
  const wanted = { q: q ?? '', state: state ?? null, sort: sort ?? 'name', desc: desc === 'true' }
  const page = pageOf(arrangeServers(servers, wanted), {
    limit: Math.min(limit, MAX_LIMIT),
    cursor,
    keyOf: ({ uuid }) => uuid,
  })
  return {
    cloud: cloud.name,
    hostCount: fleet.hosts.length,
    readAt: fleet.input.facts.servers.at,
    novaGap: cloudGap(fleet.input, 'servers'),
    hostGaps: hostGapsOf(fleet),
    servers: page.rows,
    counts: countServers(servers),
    total: page.total,
    next: page.next,
  }
}
