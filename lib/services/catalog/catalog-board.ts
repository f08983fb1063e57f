import 'server-only'
import { type FlavorOffer, isOfferTold } from '@/lib/domain/catalog/flavor-offer'
import { type OwnServer, ownServers } from '@/lib/domain/catalog/own-servers'
import { projectFlavors } from '@/lib/domain/catalog/project-flavors'
import type { UsualWait } from '@/lib/domain/catalog/usual-wait'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { isGpuFlavor } from '@/lib/domain/fence/gpu-flavors'
import { prepareHosts } from '@/lib/domain/fit/prepare-hosts'
import { HOUR_MS } from '@/lib/domain/history/series'
import { type OwnLimits, ownLimits } from '@/lib/domain/limits/effective-limit'
import { type LimitView, limitView } from '@/lib/domain/limits/limit-view'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Database } from '@/lib/server/database/database'
import { isSameMark } from '@/lib/server/sharing/keep-by-mark'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { loadFleet } from '@/lib/services/cloud-reading/load-fleet'
import { fleetMark } from '@/lib/services/fit/fleet-mark'
import { inSlices } from '@/lib/util/in-slices'
import { type BoardOffers, offersInSteps } from './count-offers'
import { loadTypeHours, waitsInSteps } from './usual-waits'

/**
 * The data for the answers to tenants of a cloud, computed in the background. A request only looks up its own project, so
 * that its duration reveals neither the size of the fleet nor what others have just started.
 */
export type CatalogBoard = {
  fleet: Fleet
  /** For GPUs, in the order in which Nova gave them; null: never read. */
  flavors: readonly Flavor[] | null
  offers: BoardOffers
  /** By project. */
  servers: ReadonlyMap<string, readonly OwnServer[]>
  /** Null: limits have no effect here, or were never read. */
  limits: { view: LimitView; own: OwnLimits } | null
  /** By flavor, for a project of which no host is kept; not all have one. */
  waits: ReadonlyMap<string, UsualWait>
  isStale: boolean
  /** What it was counted from, */
  mark: readonly unknown[]
  /** and in which hour: the history moves on when nothing else does. */
  hour: number
}

type Boards = Map<number, CatalogBoard>

const KEY = Symbol.for('sliceboard.catalog-boards')
// Next's bundles each load their own copy of this module; globalThis is what they share.
const holder = globalThis as { [KEY]?: WeakMap<Database, Boards> }

const boardsOf = (database: Database): Boards => {
  holder[KEY] ??= new WeakMap()
  const boards = holder[KEY].get(database) ?? new Map()
  holder[KEY].set(database, boards)
  return boards
}

/** What was counted last; null: nothing has been yet. */
export const catalogBoard = ({ database }: Pick<ServiceContext, 'database'>, cloud: Cloud) =>
  boardsOf(database).get(cloud.id) ?? null

/** The GPU flavors that members of a project may use on hosts that they may use, with the displayed facts of each. */
export const projectOffers = (
  { flavors, offers }: Pick<CatalogBoard, 'flavors' | 'offers'>,
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
  const isStale = !isOfferTold(fleet)
  const known = catalogBoard(ctx, cloud)
  const hour = Math.floor(ctx.now().getTime() / HOUR_MS)
  if (known !== null && known.isStale === isStale && known.hour === hour && isSameMark(known.mark, mark)) {
    // With the times of the last round.
    boardsOf(ctx.database).set(cloud.id, { ...known, fleet })
    return
  }
  await inSlices(prepareHosts(fleet))
  const flavors = fleet.input.facts.flavors.value?.filter((flavor) => isGpuFlavor(fleet, flavor)) ?? null
  const view = limitView(fleet)
  boardsOf(ctx.database).set(cloud.id, {
    fleet,
    flavors,
    offers: await inSlices(offersInSteps(fleet, flavors ?? [])),
    servers: ownServers(fleet),
    limits: view === null ? null : { view, own: ownLimits(view) },
    waits: await inSlices(waitsInSteps(fleet, flavors ?? [], await loadTypeHours(ctx, cloud))),
    isStale,
    mark,
    hour,
  })
}
