import 'server-only'
import type { Runtime } from '@/lib/server/context/runtime'
import type { Cloud } from '@/lib/services/cloud/find-cloud'

/** The clouds whose tenants sign in here. */
export const catalogClouds = ({
  database,
  accounts,
}: Pick<Runtime, 'database' | 'accounts'>): Promise<Cloud[]> =>
  database.prisma.cloud.findMany({
    where: { name: { in: accounts.map(({ cloud }) => cloud) } },
    select: { id: true, name: true, region: true },
  })
