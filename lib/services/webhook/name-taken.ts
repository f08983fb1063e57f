import 'server-only'
import type { Connection } from '@/lib/server/database/database'
import { ServiceError } from '@/lib/server/errors/service-error'

export const refuseTakenName = async (
  prisma: Connection['prisma'],
  { cloudId, name, id }: { cloudId: number; name: string; id: number },
): Promise<void> => {
  if ((await prisma.webhook.count({ where: { cloudId, name, id: { not: id } } })) === 0) return
  throw new ServiceError('conflict', `There is a webhook named "${name}" already: choose another name.`, {
    field: 'name',
  })
}
