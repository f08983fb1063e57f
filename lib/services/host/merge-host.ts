import 'server-only'
import { matchingGpus } from '@/lib/domain/host/removal-suggestion'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { HostMergePreview } from '@/lib/schemas/api/host-removal'
import {
  type MergeHost,
  type MergePreviewScope,
  mergeHostScopeSchema,
  mergePreviewScopeSchema,
} from '@/lib/schemas/api/host-removal-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import type { Connection, Query } from '@/lib/server/database/database'
import { retryDeadlock } from '@/lib/server/database/deadlock'
import { lockHostsByName } from '@/lib/server/database/lock-row'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Prisma } from '@/lib/server/prisma-client/client'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { loadStoredInventories, readStoredInventory } from '@/lib/services/report/read-stored-inventory'
import { logRevokedAgents } from '@/lib/services/restore/log-revocation'
import { type HostSpan, loadSpans } from '@/lib/services/stored-host/host-span'
import { formatNoun } from '@/lib/util/format'
import { activeChangeOn, endHost } from './end-host'

const MERGED = {
  id: true,
  name: true,
  removedAt: true,
  mergedInto: { select: { name: true } },
} satisfies Prisma.HostSelect
type MergedHost = Prisma.HostGetPayload<{ select: typeof MERGED }>

const loadGpus = async (query: Query, hostId: number) => {
  const [stored] = await loadStoredInventories(query, [hostId])
  if (stored === undefined) return []
  const { gpus, nvidiaSmi }: Inventory = await readStoredInventory(stored)
  const uuids = new Map((nvidiaSmi?.gpus ?? []).map(({ address, uuid }) => [address, uuid]))
  return gpus.map(({ address, deviceId }) => ({ address, deviceId, uuid: uuids.get(address) ?? null }))
}

type MergeNames = { cloud: Cloud; from: string; into: string; isLocked: boolean }

const findBoth = async (
  { query, prisma }: Connection,
  { cloud, from, into, isLocked }: MergeNames,
): Promise<{ from: MergedHost; into: MergedHost }> => {
  if (from === into)
    throw new ServiceError(
      'validation',
      `from is "${from}", the host itself: name the host that it replaces.`,
      {
        field: 'from',
      },
    )
  // Neither host changes until the merge is written.
  if (isLocked) await lockHostsByName(query, { cloudId: cloud.id, names: [from, into] })
  const rows = await prisma.host.findMany({
    where: { cloudId: cloud.id, name: { in: [from, into] } },
    select: MERGED,
  })
  const find = (name: string, field: string): MergedHost => {
    const row = rows.find((one) => one.name === name)
    if (row !== undefined && (field === 'from' || row.removedAt === null)) return row
    throw new ServiceError(
      'not_found',
      `Cloud "${cloud.name}" has no host named "${name}". Check the name, or add the host under Settings, Agents.`,
      { field },
    )
  }
  return { from: find(from, 'from'), into: find(into, 'host') }
}

type Facts = {
  from: MergedHost
  into: MergedHost
  spans: readonly HostSpan[]
  matching: number
  gpuCount: number
}

const refusalOf = ({ from, into, spans, matching, gpuCount }: Facts): string | null => {
  const end = spans.find(({ id }) => id === from.id)?.lastKnownAt ?? null
  const begin = spans.find(({ id }) => id === into.id)?.firstKnownAt ?? null
  if (from.mergedInto?.name === into.name) return null
  if (from.mergedInto !== null)
    return `${from.name} is already merged into ${from.mergedInto.name}. Restore it first to merge it with another host.`
  if (end === null)
    return `${from.name} never reported, so there is no history to continue. Remove it instead.`
  if (begin === null) return `${into.name} has not reported yet. Wait for its first report.`
  if (end > begin)
    return `${from.name} reported until ${end.toISOString()}, and ${into.name} reports since ${begin.toISOString()}: hosts that reported at the same time are two hosts and cannot be merged.`
  if (matching === 0)
    return `${into.name} reports none of the ${formatNoun(gpuCount, 'GPU')} of ${from.name}. Merge only a host that was renamed or reinstalled.`
  return null
}

type MergePlan = {
  from: MergedHost
  into: MergedHost
  historyEndsAt: Date
  preview: HostMergePreview
}

/** What a merge would do, and why it is refused. `isLocked`: both hosts stay as they are for the transaction. */
const planMerge = async (connection: Connection, names: MergeNames): Promise<MergePlan> => {
  const { query, prisma } = connection
  const { cloud } = names
  const { from, into } = await findBoth(connection, names)
  const spans = await loadSpans(query, [from.id, into.id])
  const [gpusBefore, gpusNow] = [await loadGpus(query, from.id), await loadGpus(query, into.id)]
  const facts = {
    from,
    into,
    spans,
    matching: matchingGpus(gpusBefore, gpusNow),
    gpuCount: gpusBefore.length,
  }
  const change = await activeChangeOn(query, { cloudId: cloud.id, hosts: [from.name] })
  const busy =
    change === null
      ? null
      : `Change ${change.id} ("${change.title}") is active on ${from.name}. Finish the change or roll it back first.`
  const ofHost = { cloudId: cloud.id, host: from.name }
  const [old, current] = [from, into].map(({ id }) => spans.find((span) => span.id === id))
  const lastKnown = old?.lastKnownAt?.getTime() ?? 0
  return {
    from,
    into,
    historyEndsAt: new Date(Math.max(current?.firstKnownAt?.getTime() ?? 0, lastKnown + 1)),
    preview: {
      cloud: cloud.name,
      from: from.name,
      into: into.name,
      firstKnownAt: old?.firstKnownAt?.toISOString() ?? null,
      lastKnownAt: old?.lastKnownAt?.toISOString() ?? null,
      continuesAt: current?.firstKnownAt?.toISOString() ?? null,
      matchingGpus: facts.matching,
      gpuCount: facts.gpuCount,
      openFindings: await prisma.finding.count({ where: { ...ofHost, closedAt: null } }),
      managedTraits: await prisma.managedTrait.count({ where: ofHost }),
      isRemoved: from.removedAt !== null,
      refusal: busy ?? refusalOf(facts),
    },
  }
}

/** What merging the history of a host into another one would do. Writes nothing. */
export const previewMerge = async (
  ctx: ServiceContext,
  input: MergePreviewScope,
): Promise<HostMergePreview> => {
  requirePermission(ctx, 'fleet.read')
  const { host, from, ...scope } = parseInput(mergePreviewScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  return (await planMerge(ctx.database, { cloud, from, into: host, isLocked: false })).preview
}

/**
 * Merges a renamed or reinstalled host: `host` continues the history of `from`, which is removed. Frozen reviews stay as
 * they are. Merging the same hosts again changes nothing.
 */
export const mergeHost = async (ctx: ServiceContext, input: MergeHost): Promise<HostMergePreview> => {
  requirePermission(ctx, 'host.remove')
  const { host, from, reason, ...scope } = parseInput(mergeHostScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const at = ctx.now()
  const { merged, revokedIds } = await retryDeadlock(() =>
    ctx.database.transaction(async (connection) => {
      const plan = await planMerge(connection, { cloud, from, into: host, isLocked: true })
      const { preview } = plan
      if (preview.refusal !== null) throw new ServiceError('conflict', preview.refusal, { field: 'from' })
      if (plan.from.mergedInto?.name === plan.into.name) return { merged: preview, revokedIds: [] }
      const ended = await endHost(connection, {
        cloudId: cloud.id,
        host: plan.from,
        at,
        historyEndsAt: plan.historyEndsAt,
        actor: describeActor(ctx.actor),
        reason,
        mergedIntoId: plan.into.id,
        note: `Host merged into ${plan.into.name}: ${reason}`,
      })
      await writeAudit(connection.query, {
        at,
        actor: ctx.actor,
        cloud: cloud.name,
        action: 'host.merge',
        subject: `host:${plan.into.name}`,
        before: { from: plan.from.name, removedAt: plan.from.removedAt?.toISOString() ?? null },
        after: { reason, continuesAt: plan.historyEndsAt.toISOString(), ...ended },
      })
      return { merged: preview, revokedIds: ended.revokedCredentialIds }
    }),
  )
  logRevokedAgents(ctx.log, { at, ids: revokedIds })
  return merged
}
