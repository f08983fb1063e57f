import 'server-only'
import * as z from 'zod'
import { onlyCloud, type ServiceContext } from '@/lib/server/context/service-context'
import type { Database } from '@/lib/server/database/database'
import { ServiceError } from '@/lib/server/errors/service-error'
import { shareTurn } from '@/lib/server/sharing/share-turn'

// SQL: Prisma cannot sort by bytes, and every request waits for this statement.
const ALL = 'SELECT id, name, region FROM cloud ORDER BY name COLLATE "C"'
const cloudRow = z.object({ id: z.int(), name: z.string(), region: z.string().nullable() })

export type Cloud = z.infer<typeof cloudRow>

const sharedBy = new WeakMap<Database, () => Promise<Cloud[]>>()

/** Every question of every client begins here, so those that come at once share one of the database. */
const listOfTurn = (database: Database): Promise<Cloud[]> => {
  const shared = sharedBy.get(database) ?? shareTurn(() => database.query(ALL, [], cloudRow))
  sharedBy.set(database, shared)
  return shared()
}

/**
 * The named cloud, or the first by name, of those that the caller sees: an account sees its own alone. For services that
 * have checked the caller's permission.
 */
export const findCloud = async (
  ctx: Pick<ServiceContext, 'actor' | 'database'>,
  { cloud: name }: { cloud: string | null },
): Promise<Cloud> => {
  const own = onlyCloud(ctx.actor)
  const clouds = await listOfTurn(ctx.database)
  const found = clouds.find(
    (one) => (name === null || one.name === name) && (own === null || one.name === own),
  )
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
