import 'server-only'
import type { Database } from '@/lib/server/database/database'
import type { ServiceContext } from '@/lib/server/service-context'
import { createFleetSnapshot, type Fleet, type FleetSnapshot } from './fleet-snapshot'

/** One snapshot per database and cloud. A cloud that is renamed starts a new one. */
type Snapshots = WeakMap<Database, Map<string, FleetSnapshot>>

const KEY = Symbol.for('sliceboard.fleet-snapshots')

// Next's bundles each load their own copy of this module; globalThis is what they share, so a fleet is held once.
const holder = globalThis as { [KEY]?: Snapshots }

/** The fleet of a cloud as of now. For services that have checked the caller's permission. */
export const fleetOfCloud = (ctx: ServiceContext, cloud: { id: number; name: string }): Promise<Fleet> => {
  holder[KEY] ??= new WeakMap()
  const snapshots = holder[KEY]
  const ofDatabase = snapshots.get(ctx.database) ?? new Map<string, FleetSnapshot>()
  snapshots.set(ctx.database, ofDatabase)
  const key = `${cloud.id} ${cloud.name}`
  const known = ofDatabase.get(key)
  if (known !== undefined) return known.current()
  const snapshot = createFleetSnapshot({ query: ctx.database.query, cloud })
  ofDatabase.set(key, snapshot)
  return snapshot.current()
}
