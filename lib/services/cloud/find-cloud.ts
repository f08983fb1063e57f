import 'server-only'
import type { ServiceContext } from '@/lib/server/service-context'
import { ServiceError } from '@/lib/server/service-error'

export type Cloud = { id: number; name: string; region: string | null }

const select = { id: true, name: true, region: true } as const

/** The named cloud, or the first by name. For services that have checked the caller's permission. */
export const findCloud = async (
  ctx: ServiceContext,
  { cloud: name }: { cloud: string | null },
): Promise<Cloud> => {
  const { cloud } = ctx.database.prisma
  const found =
    name === null
      ? await cloud.findFirst({ select, orderBy: { name: 'asc' } })
      : await cloud.findUnique({ select, where: { name } })
  if (found !== null) return found
  if (name === null)
    throw new ServiceError(
      'not_found',
      'No cloud is known yet. Set SLICEBOARD_CLOUD and restart the console.',
    )
  throw new ServiceError(
    'not_found',
    `There is no cloud named "${name}". Choose one from the list of clouds.`,
    { field: 'cloud' },
  )
}
