import 'server-only'
import { onlyCloud, type ServiceContext } from '@/lib/server/service-context'
import { ServiceError } from '@/lib/server/service-error'

export type Cloud = { id: number; name: string; region: string | null }

const FIND = `
SELECT id, name, region FROM cloud
WHERE ($1::text IS NULL OR name = $1) AND ($2::text IS NULL OR name = $2) ORDER BY name COLLATE "C" LIMIT 1`

/**
 * The named cloud, or the first by name, of those that the caller sees: an account sees its own alone. For services that
 * have checked the caller's permission. Plain SQL, because every question of every client begins here.
 */
export const findCloud = async (
  ctx: ServiceContext,
  { cloud: name }: { cloud: string | null },
): Promise<Cloud> => {
  const [found] = await ctx.database.query<Cloud>(FIND, [name, onlyCloud(ctx.actor)])
  if (found !== undefined) return found
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
