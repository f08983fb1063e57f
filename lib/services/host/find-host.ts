import 'server-only'
import type { ServiceContext } from '@/lib/server/service-context'
import { ServiceError } from '@/lib/server/service-error'
import type { Cloud } from '@/lib/services/cloud/find-cloud'

const select = {
  id: true,
  name: true,
  digest: true,
  agentVersion: true,
  droppedReports: true,
  takenAt: true,
  reportedAt: true,
  seenAt: true,
  changedXid: true,
} as const

export type HostRow = {
  id: number
  name: string
  digest: string | null
  agentVersion: string | null
  droppedReports: number
  takenAt: Date | null
  reportedAt: Date | null
  seenAt: Date | null
  changedXid: bigint
}

/** A host of the cloud by its canonical name. For services that have checked the caller's permission. */
export const findHost = async (
  ctx: ServiceContext,
  { cloud, host: name }: { cloud: Cloud; host: string },
): Promise<HostRow> => {
  const found = await ctx.database.prisma.host.findUnique({
    select,
    where: { cloudId_name: { cloudId: cloud.id, name } },
  })
  if (found !== null) return found
  throw new ServiceError(
    'not_found',
    `Cloud "${cloud.name}" has no host named "${name}". Check the name, or add the host under Settings, Agents.`,
    { field: 'host' },
  )
}
