import 'server-only'
import type { Database } from '@/lib/server/database/database'
import { keepByDatabase } from '@/lib/server/database/keep-by-database'
import { createFleetSnapshot, type Fleet, type FleetSnapshot } from './fleet-snapshot'

/** A cloud that is renamed starts a new one. */
const cachedSnapshot = keepByDatabase<FleetSnapshot>('fleet-snapshots')

type CloudInput = [{ database: Database }, cloud: { id: number; name: string }]

const snapshotOf = (...[{ database }, cloud]: CloudInput): FleetSnapshot =>
  cachedSnapshot({ database, key: `${cloud.id} ${cloud.name}` }, () =>
    createFleetSnapshot({ query: database.query, cloud }),
  )

/** The fleet of a cloud, at most a second old. For services that have checked the caller's permission. */
export const fleetOfCloud = (...input: CloudInput): Promise<Fleet> => snapshotOf(...input).current()

/** The fleet of a cloud as of now. */
export const freshFleetOfCloud = (...input: CloudInput): Promise<Fleet> => snapshotOf(...input).fresh()
