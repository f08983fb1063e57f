import 'server-only'
import type { CloudFacts } from '@/lib/domain/cloud/types'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Database } from '@/lib/server/database/database'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { neverHeard } from './cloud-parts'
import { loadCloudFacts, type StoredFacts } from './load-cloud-facts'

const KEY = Symbol.for('sliceboard.cloud-facts')
type Kept = WeakMap<Database, Map<number, StoredFacts>>

// Next's bundles each load their own copy of this module; globalThis is what they share, so facts are held once.
const holder = globalThis as { [KEY]?: Kept }

const storedByCloud = (database: Database): Map<number, StoredFacts> => {
  holder[KEY] ??= new WeakMap()
  const stored = holder[KEY].get(database) ?? new Map<number, StoredFacts>()
  holder[KEY].set(database, stored)
  return stored
}

/** Keeps what a round of this process has stored, so that the next request neither loads nor decodes it. */
export const keepFacts = (database: Database, cloud: Cloud, stored: StoredFacts): void => {
  storedByCloud(database).set(cloud.id, stored)
}

/** The last data from OpenStack for a cloud; null before the first round. For services that have checked the permission. */
export const factsOfCloud = async (
  ctx: Pick<ServiceContext, 'database' | 'now'>,
  cloud: Cloud,
): Promise<StoredFacts | null> => {
  const round = await ctx.database.prisma.cloudRound.findUnique({
    where: { cloudId: cloud.id },
    select: { number: true },
  })
  if (round === null) return null
  const known = storedByCloud(ctx.database).get(cloud.id)
  if (known?.roundNumber === round.number) return known
  const stored = await loadCloudFacts(ctx.database.query, { cloud, now: ctx.now() })
  if (stored !== null) keepFacts(ctx.database, cloud, stored)
  return stored
}

/** The facts of a cloud that was never read: the reports of its hosts are used without it. */
export const unheardFacts = (ctx: ServiceContext, cloud: Cloud): CloudFacts => {
  const nothing = neverHeard(ctx.now())
  return {
    cloud: cloud.name,
    region: cloud.region,
    versions: { nova: null, placement: null, keystone: null },
    providers: nothing,
    allocations: nothing,
    services: nothing,
    hypervisors: nothing,
    servers: nothing,
    migrations: nothing,
    flavors: nothing,
    aggregates: nothing,
    limits: nothing,
    projects: nothing,
    networkAgents: nothing,
  }
}
