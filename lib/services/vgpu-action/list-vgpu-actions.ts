import 'server-only'
import { minimumProblems } from '@/lib/domain/cloud/minimum-versions'
import {
  olderComputeReason,
  VGPU_ACTION_NAMES,
  type VgpuActionName,
  vgpuAction,
} from '@/lib/domain/cloud/vgpu-actions'
import { type NovaRange, novaRange, rangeText } from '@/lib/domain/nova-config/nova-releases'
import { rangeOf } from '@/lib/domain/nova-config/nova-view'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import type { VgpuActionDto, VgpuActions } from '@/lib/schemas/api/vgpu-action'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { loadHostFacts } from '@/lib/services/cloud-reading/load-host-facts'
import { apiVersionsSchema, storedCostSchema } from '@/lib/services/cloud-reading/stored-round'
import { silentBefore } from '@/lib/services/fleet/silence'

type ActionHost = { name: string; range: NovaRange | null } & Pick<
  Inventory['host'],
  'kernel' | 'libvirtVersion' | 'qemuVersion'
>

const FRAMEWORKS = { mdev: ['mdev', 'mdev-sriov'], vfio: ['vendor-vfio'] }

/** Hosts with a framework as their agents reported them last; `range` is null where nova-compute's version is not reported. */
const loadHosts = async (
  ctx: ServiceContext,
  { cloudId, frameworks }: { cloudId: number; frameworks: string[] },
): Promise<ActionHost[]> => {
  const rows = await ctx.database.prisma.host.findMany({
    where: { cloudId, removedAt: null, pgpus: { some: { framework: { in: frameworks } } } },
    select: { id: true },
  })
  const facts = await loadHostFacts(ctx.database, {
    cloudId,
    silentBefore: silentBefore(ctx),
    log: ctx.log,
    hostIds: rows.map(({ id }) => id),
  })
  return facts.map(({ name, inventory }) => ({ ...inventory.host, name, range: rangeOf(inventory, null) }))
}

/** Actions whose rule has minimum versions on the host. */
const BOUNDED = {
  liveMigration: 'mdevLiveMigration',
  persistentMdevs: 'persistentMdevs',
} as const satisfies Partial<Record<VgpuActionName, string>>

const isBounded = (name: VgpuActionName): name is keyof typeof BOUNDED => name in BOUNDED

/** Hosts that lack what the action needs: a newer nova-compute, or the minimum versions. */
const hostsBelow = (name: VgpuActionName, hosts: readonly ActionHost[]): VgpuActionDto['hosts'] =>
  hosts.flatMap((host) => {
    const older = olderComputeReason(name, host.range)
    const problems = isBounded(name) ? minimumProblems(BOUNDED[name], host) : []
    const reasons = [...(older === null ? [] : [older]), ...problems.map(({ because }) => because)]
    return reasons.length === 0 ? [] : [{ name: host.name, because: reasons.join(', ') }]
  })

/** Why the release is unknown, as the start of a sentence. */
const whyUnread = ({ hasRound, error }: { hasRound: boolean; error: string | null }): string => {
  if (!hasRound) return 'The cloud has not been read yet'
  return error === null ? "Nova's API version was not recognized" : `Nova could not be read (${error})`
}

/** What works with vGPUs on the release of Nova that the cloud runs. */
export const listVgpuActions = async (ctx: ServiceContext, input: CloudScope): Promise<VgpuActions> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const { prisma } = ctx.database
  const round = await prisma.cloudRound.findUnique({
    where: { cloudId: cloud.id },
    select: { versions: true, cost: true },
  })
  const mdevHosts = await loadHosts(ctx, { cloudId: cloud.id, frameworks: FRAMEWORKS.mdev })
  const vfioHosts = await loadHosts(ctx, { cloudId: cloud.id, frameworks: FRAMEWORKS.vfio })
  const versions = apiVersionsSchema.parse(round?.versions ?? {})
  const error =
    storedCostSchema.parse(round?.cost ?? []).find(({ service }) => service === 'nova')?.error ?? null
  const range = novaRange(versions.nova)
  const unread = whyUnread({ hasRound: round !== null, error })
  return {
    cloud: cloud.name,
    release: range === null ? null : rangeText(range),
    apiVersion: versions.nova,
    actions: VGPU_ACTION_NAMES.map((name) => {
      const hosts = name === 'vfioLiveMigration' ? vfioHosts : mdevHosts
      const computes = hosts.map(({ range }) => range)
      const action = vgpuAction(name, { nova: versions.nova, computes }, unread)
      return { ...action, hosts: action.state === 'fails' ? [] : hostsBelow(name, hosts) }
    }),
  }
}
