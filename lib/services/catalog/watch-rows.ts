import 'server-only'
import type { ProjectMember } from '@/lib/server/context/require-project'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Cloud } from '@/lib/services/cloud/find-cloud'

/** Ids of the flavors to which a person in a project has subscribed. */
export const watchedFlavors = async (
  { database }: Pick<ServiceContext, 'database'>,
  { cloud, member }: { cloud: Cloud; member: ProjectMember },
): Promise<Set<string>> => {
  const rows = await database.prisma.catalogWatch.findMany({
    where: { cloudId: cloud.id, userId: member.userId, projectId: member.scope.id },
    select: { flavorId: true },
  })
  return new Set(rows.map(({ flavorId }) => flavorId))
}
