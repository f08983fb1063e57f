import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { ProjectMember } from '@/lib/server/context/require-project'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Cloud } from '@/lib/services/cloud/find-cloud'

const LIST = `
SELECT flavor_id AS "flavorId" FROM catalog_watch
WHERE cloud_id = $1 AND user_id = $2 AND project_id = $3`

/** Ids of the flavors of which a person, in a project, asked to be told. */
export const watchedFlavors = async (
  { database }: Pick<ServiceContext, 'database'>,
  { cloud, member }: { cloud: Cloud; member: ProjectMember },
): Promise<Set<string>> => {
  const rows = await database.query(
    LIST,
    [cloud.id, member.userId, member.scope.id],
    uncheckedRow<{ flavorId: string }>(),
  )
  return new Set(rows.map(({ flavorId }) => flavorId))
}
