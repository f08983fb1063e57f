import 'server-only'
import type { Query } from '@/lib/server/database/database'
import { ServiceError } from '@/lib/server/errors/service-error'

const OTHER = 'SELECT 1 FROM webhook WHERE cloud_id = $1 AND name = $2 AND id <> $3'

export const refuseTakenName = async (
  query: Query,
  { cloudId, name, id }: { cloudId: number; name: string; id: number },
): Promise<void> => {
  if ((await query(OTHER, [cloudId, name, id])).length === 0) return
  throw new ServiceError('conflict', `There is a webhook named "${name}" already: choose another name.`, {
    field: 'name',
  })
}
