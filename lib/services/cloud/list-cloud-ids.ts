import 'server-only'
import type { PrismaConnection } from '@/lib/server/database/database'

/** The ids of all clouds, in ascending order. */
export const listCloudIds = async ({ prisma }: PrismaConnection): Promise<number[]> => {
  const clouds = await prisma.cloud.findMany({ select: { id: true }, orderBy: { id: 'asc' } })
  return clouds.map(({ id }) => id)
}
