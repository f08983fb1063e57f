import 'server-only'
import {
  type FlavorOffer,
  flavorOffer,
  isOfferKnown,
  offerOfPart,
  type PartOffer,
} from '@/lib/domain/catalog/flavor-offer'
import { type FleetPart, fleetParts } from '@/lib/domain/catalog/fleet-parts'
import { type OwnServer, ownServers } from '@/lib/domain/catalog/own-servers'
import { projectFlavors } from '@/lib/domain/catalog/project-flavors'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { deviceGroup, unusedDevices } from '@/lib/domain/fit/count-devices'
import { isGpuFlavor } from '@/lib/domain/headroom/gpu-flavors'
import { type OwnLimits, ownLimits } from '@/lib/domain/limits/effective-limit'
import { type LimitView, limitView } from '@/lib/domain/limits/limit-view'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Database } from '@/lib/server/database/database'
import { isSameMark } from '@/lib/server/sharing/keep-by-mark'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { loadFleet } from '@/lib/services/cloud-reading/load-fleet'
import { fleetMark } from '@/lib/services/fit/fleet-mark'
import { inSlices } from '@/lib/util/in-slices'

type Offers = ReadonlyMap<string, FlavorOffer>
/** By flavor; of projects for which aggregates keep hosts, and of all the others. */
type CatalogOffers = { byProject: ReadonlyMap<string, Offers>; ofOthers: Offers }

/** Every host is counted once, however many projects share it. */
function* offersInSteps(fleet: Fleet, flavors: readonly Flavor[]): Generator<void, CatalogOffers> {
  for (const joined of fleet.hosts) {
    deviceGroup(fleet, unusedDevices(joined))
    yield
  }
  const parts = fleetParts(fleet)
  const named = new Set(parts.flatMap(({ projectIds }) => [...(projectIds ?? [])]))
  const byProject = new Map([...named].map((id) => [id, new Map<string, FlavorOffer>()]))
  const ofOthers = new Map<string, FlavorOffer>()
  for (const flavor of flavors) {
    const counted: (FleetPart & { offer: PartOffer })[] = []
    for (const part of parts) {
      counted.push({ ...part, offer: offerOfPart(fleet, part, flavor) })
      yield
    }
    const put = (offers: Map<string, FlavorOffer>, projectId: string | null): void => {
      const isOwn = ({ projectIds }: FleetPart): boolean =>
        projectIds === null || (projectId !== null && projectIds.has(projectId))
      const own = counted.filter(isOwn).map(({ offer }) => offer)
      const others = counted.filter((part) => !isOwn(part)).map(({ offer }) => offer)
      const offer = flavorOffer(fleet, flavor, { own, others })
      if (offer !== null) offers.set(flavor.id, offer)
    }
    put(ofOthers, null)
    for (const [projectId, offers] of byProject) put(offers, projectId)
  }
  return { byProject, ofOthers }
}

/**
 * The data for the answers to tenants of a cloud, computed in the background. A request only looks up its own project, so
 * that its duration reveals neither the size of the fleet nor what others have just started.
 */
export type CatalogCache = {
  fleet: Fleet
  /** For GPUs, in the order in which Nova gave them; null: never read. */
  flavors: readonly Flavor[] | null
  offers: CatalogOffers
  /** By project. */
  servers: ReadonlyMap<string, readonly OwnServer[]>
  /** Null: limits have no effect here, or were never read. */
  limits: { view: LimitView; own: OwnLimits } | null
  isStale: boolean
  /** What it was counted from. */
  mark: readonly unknown[]
}

type Caches = Map<number, CatalogCache>

const KEY = Symbol.for('sliceboard.catalog-caches')
// Next's bundles each load their own copy of this module; globalThis is what they share.
const holder = globalThis as { [KEY]?: WeakMap<Database, Caches> }

const cachesOf = (database: Database): Caches => {
  holder[KEY] ??= new WeakMap()
  const caches = holder[KEY].get(database) ?? new Map()
  holder[KEY].set(database, caches)
  return caches
}

/** What was counted last; null: nothing has been yet. */
export const cachedCatalog = ({ database }: Pick<ServiceContext, 'database'>, cloud: Cloud) =>
  cachesOf(database).get(cloud.id) ?? null

/** The GPU flavors that members of a project may use on hosts that they may use, with the displayed facts of each. */
export const projectOffers = (
  { flavors, offers }: Pick<CatalogCache, 'flavors' | 'offers'>,
  projectId: string,
): { flavor: Flavor; offer: FlavorOffer }[] => {
  const own = offers.byProject.get(projectId) ?? offers.ofOthers
  return projectFlavors(flavors ?? [], projectId).flatMap((flavor) => {
    const offer = own.get(flavor.id)
    return offer === undefined ? [] : [{ flavor, offer }]
  })
}

/**
 * Recomputes a cloud's catalog if its facts changed. Thousands of hosts times dozens of flavors take seconds, so other
 * work may run in between.
 */
export const countCatalog = async (ctx: ServiceContext, cloud: Cloud): Promise<void> => {
  const fleet = await loadFleet(ctx, cloud)
  if (fleet === null) return
  const mark = fleetMark(fleet)
  const isStale = !isOfferKnown(fleet)
  const known = cachedCatalog(ctx, cloud)
  if (known !== null && known.isStale === isStale && isSameMark(known.mark, mark)) {
    // With the times of the last round.
    cachesOf(ctx.database).set(cloud.id, { ...known, fleet })
    return
  }
  const flavors = fleet.input.facts.flavors.value?.filter((flavor) => isGpuFlavor(fleet, flavor)) ?? null
  const view = limitView(fleet)
  cachesOf(ctx.database).set(cloud.id, {
    fleet,
    flavors,
    offers: await inSlices(offersInSteps(fleet, flavors ?? [])),
    servers: await inSlices(ownServers(fleet)),
    limits: view === null ? null : { view, own: ownLimits(view) },
    isStale,
    mark,
  })
}
