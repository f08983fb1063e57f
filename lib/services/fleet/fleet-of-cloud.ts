import 'server-only'
import type { Database } from '@/lib/server/database/database'
import { keepByDatabase } from '@/lib/server/keep-by-database'
import { createFleetSnapshot, type Fleet, type FleetSnapshot } from './fleet-snapshot'

/** A cloud that is renamed starts a new one. */
const keptSnapshot = keepByDatabase<FleetSnapshot>('fleet-snapshots')

/** The fleet of a cloud as of now. For services that have checked the caller's permission. */
export const fleetOfCloud = (
  { database }: { database: Database },
  cloud: { id: number; name: string },
): Promise<Fleet> =>
  keptSnapshot({ database, key: `${cloud.id} ${cloud.name}` }, () =>
    createFleetSnapshot({ query: database.query, cloud }),
  ).current()
