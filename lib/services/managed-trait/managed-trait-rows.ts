import 'server-only'
import type { ManagedTrait } from '@/lib/domain/cloud/fleet-types'
import type { PrismaConnection } from '@/lib/server/database/database'

/** The traits of a cloud that admins asked the console to keep. */
export const loadManagedTraits = ({ prisma }: PrismaConnection, cloudId: number): Promise<ManagedTrait[]> =>
  prisma.managedTrait.findMany({
    where: { cloudId },
    select: {
      host: true,
      pgpuAddress: true,
      address: true,
      providerName: true,
      trait: true,
      typeId: true,
      typeName: true,
      providerUuid: true,
      problem: true,
    },
    orderBy: [{ host: 'asc' }, { address: 'asc' }, { trait: 'asc' }],
  })
