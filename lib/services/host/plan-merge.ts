import 'server-only'
import { matchingGpus } from '@/lib/domain/host/removal-suggestion'
import { plural } from '@/lib/domain/wording'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { HostMergePreview } from '@/lib/schemas/api/host-removal'
import type { Connection, Query } from '@/lib/server/database/database'
import { lockHostsByName } from '@/lib/server/database/lock-row'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Prisma } from '@/lib/server/prisma-client/client'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { loadStoredInventories, readStoredInventory } from '@/lib/services/report/read-stored-inventory'
import { type HostSpan, loadSpans } from '@/lib/services/stored-host/host-span'
import { activeChangeOn } from './end-host'

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
    return `${into.name} reports none of the ${plural(gpuCount, 'GPU', 'GPUs')} of ${from.name}. Merge only a host that was renamed or reinstalled.`
  return null
}

export type MergePlan = {
  from: MergedHost
  into: MergedHost
  historyEndsAt: Date
  preview: HostMergePreview
}

/** What a merge would do, and why it is refused. `isLocked`: both hosts stay as they are for the transaction. */
export const planMerge = async (connection: Connection, names: MergeNames): Promise<MergePlan> => {
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
      managedTraits: await prisma.keptTrait.count({ where: ofHost }),
      isRemoved: from.removedAt !== null,
      refusal: busy ?? refusalOf(facts),
    },
  }
}
