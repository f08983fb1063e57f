import 'server-only'
import { minimumProblems } from '@/lib/domain/cloud/minimum-versions'
import { type VgpuActionName, vgpuActions } from '@/lib/domain/cloud/vgpu-actions'
import { novaRange, rangeText } from '@/lib/domain/nova-config/nova-releases'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import type { VgpuActionDto, VgpuActions } from '@/lib/schemas/api/vgpu-action'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import type { Prisma } from '@/lib/server/prisma-client/client'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { apiVersionsSchema, storedCostSchema } from '@/lib/services/cloud-reading/stored-round'

const HOST_COLUMNS = {
  name: true,
  kernel: true,
  libvirtVersion: true,
  qemuVersion: true,
} satisfies Prisma.HostSelect
type HostRow = Prisma.HostGetPayload<{ select: typeof HOST_COLUMNS }>

/** Actions whose rule has minimum versions on the host. */
const BOUNDED = {
  liveMigration: 'mdevLiveMigration',
  persistentMdevs: 'persistentMdevs',
} as const satisfies Partial<Record<VgpuActionName, string>>

const isBounded = (name: VgpuActionName): name is keyof typeof BOUNDED => name in BOUNDED

const hostsBelow = (name: VgpuActionName, hosts: readonly HostRow[]): VgpuActionDto['hosts'] =>
  isBounded(name)
    ? hosts.flatMap((host) => {
        const problems = minimumProblems(BOUNDED[name], host)
        return problems.length === 0
          ? []
          : [{ name: host.name, because: problems.map(({ because }) => because).join(', ') }]
      })
    : []

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
  const hosts = await prisma.host.findMany({
    where: {
      cloudId: cloud.id,
      removedAt: null,
      pgpus: { some: { framework: { in: ['mdev', 'mdev-sriov'] } } },
    },
    select: HOST_COLUMNS,
    orderBy: { name: 'asc' },
  })
  const versions = apiVersionsSchema.parse(round?.versions ?? {})
  const error =
    storedCostSchema.parse(round?.cost ?? []).find(({ service }) => service === 'nova')?.error ?? null
  const range = novaRange(versions.nova)
  return {
    cloud: cloud.name,
    release: range === null ? null : rangeText(range),
    apiVersion: versions.nova,
    actions: vgpuActions(versions, whyUnread({ hasRound: round !== null, error })).map((action) => ({
      ...action,
      hosts: action.state === 'fails' ? [] : hostsBelow(action.name, hosts),
    })),
  }
}
