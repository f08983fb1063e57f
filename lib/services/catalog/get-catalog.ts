import 'server-only'
import type { FlavorOffer } from '@/lib/domain/catalog/flavor-offer'
import { limitHeadroom } from '@/lib/domain/catalog/limit-headroom'
import { limitNames } from '@/lib/domain/catalog/project-flavors'
import type { Flavor } from '@/lib/domain/cloud/types'
import { effectiveLimit } from '@/lib/domain/limits/effective-limit'
import type { ProjectUse } from '@/lib/domain/limits/quota-table'
import { amountText } from '@/lib/domain/price/amount'
import { type PriceList, pricesOn } from '@/lib/domain/price/price-list'
import { priceOfFlavor } from '@/lib/domain/price/price-of-flavor'
import type { Catalog, CatalogFlavor, CatalogLimit } from '@/lib/schemas/api/catalog'
import { requirePermission } from '@/lib/server/context/require-permission'
import { type ProjectMember, requireProject } from '@/lib/server/context/require-project'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { dayOf, loadPriceVersions } from '@/lib/services/price/load-price-versions'
import { askUsages } from '@/lib/services/quota/ask-usages'
import { naturalKey } from '@/lib/util/natural-order'
import { type CatalogCache, cachedCatalog, projectOffers } from './catalog-cache'

/** Ids of the flavors to which a person in a project has subscribed. */
const watchedFlavors = async (
  { database }: Pick<ServiceContext, 'database'>,
  { cloud, member }: { cloud: Cloud; member: ProjectMember },
): Promise<Set<string>> => {
  const rows = await database.prisma.catalogWatch.findMany({
    where: { cloudId: cloud.id, userId: member.userId, projectId: member.scope.id },
    select: { flavorId: true },
  })
  return new Set(rows.map(({ flavorId }) => flavorId))
}

type Own = { catalog: CatalogCache; projectId: string; use: ProjectUse; prices: PriceList }

const askUse = async (ctx: ServiceContext, { cloud, scope }: ProjectMember): Promise<ProjectUse> => {
  const account = ctx.accounts.find((one) => one.cloud === cloud)
  const nothing = { usages: null, because: 'it was not asked' }
  if (account === undefined) return nothing
  const { uses } = await askUsages({ account, projectIds: [scope.id], now: ctx.now, countsServers: true })
  return uses.get(scope.id) ?? nothing
}

const headroomOf = ({ catalog, projectId, use }: Own, flavor: Flavor): CatalogFlavor['headroom'] => {
  const { limits, fleet } = catalog
  return limits === null
    ? { state: 'available', more: null }
    : limitHeadroom(fleet, limits.view, { own: limits.own, projectId, use, flavor })
}

const limitsOf = (own: Own, flavors: readonly Flavor[]): CatalogLimit[] | null => {
  const { fleet, limits } = own.catalog
  if (limits === null) return null
  return limitNames(fleet, flavors).flatMap((resourceName): CatalogLimit[] => {
    const limit = effectiveLimit(fleet, limits.view, {
      own: limits.own,
      projectId: own.projectId,
      resourceName,
    })
    if (limit.kind === 'unknown') return []
    const used = own.use.usages === null ? null : (own.use.usages[resourceName.slice('class:'.length)] ?? 0)
    return [{ resourceName, limit: limit.kind === 'unlimited' ? null : limit.value, used }]
  })
}

/**
 * First the flavors that can be started now, those with a known purpose before others; last those with unknown facts.
 * Sorted only by displayed facts, so that the order reveals nothing more.
 */
const rankOf = ({ cards, purposes, availability, headroom }: CatalogFlavor): number => {
  if (cards.length === 0 || availability === 'unknown') return 3
  if (availability === 'none' || headroom.state === 'short') return 2
  return purposes.length === 0 ? 1 : 0
}

const rising = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Then by card and by size. */
const inOrder = (flavors: readonly CatalogFlavor[]): CatalogFlavor[] =>
  flavors
    .map((flavor) => ({
      flavor,
      rank: rankOf(flavor),
      model: naturalKey(flavor.cards[0]?.model ?? '~'),
      memoryMib: flavor.cards[0]?.memoryMib ?? 0,
      name: naturalKey(flavor.name),
    }))
    .toSorted(
      (a, b) =>
        a.rank - b.rank ||
        rising(a.model, b.model) ||
        a.memoryMib - b.memoryMib ||
        a.flavor.gpus - b.flavor.gpus ||
        rising(a.name, b.name),
    )
    .map(({ flavor }) => flavor)

const pricePerHour = ({ prices }: Own, { gpus, cards }: FlavorOffer): CatalogFlavor['pricePerHour'] => {
  const { price } = priceOfFlavor(prices, [{ count: gpus, gpus: cards }])
  return price === null ? null : { amount: amountText(price.amount), currency: price.currency }
}

/** Key by key: what is not named here does not leave. */
const flavorDto = (
  own: Own,
  { flavor, offer, isWatched }: { flavor: Flavor; offer: FlavorOffer; isWatched: boolean },
): CatalogFlavor => {
  const { id, name, vcpus, memoryMib, diskGib, gpus, purposes, driverBranches, startsTogether } = offer
  return {
    id,
    name,
    vcpus,
    memoryMib,
    diskGib,
    gpus,
    cards: offer.cards.map((card) => ({
      model: card.model,
      typeName: card.typeName,
      memoryMib: card.memoryMib,
      perCard: card.perCard,
      displays: card.displays,
      maxResolution: card.maxResolution,
      series: card.series,
    })),
    purposes: [...purposes],
    driverBranches: driverBranches === null ? null : [...driverBranches],
    availability: offer.availability,
    usualWait: offer.availability === 'none' ? (own.catalog.waits.get(id) ?? null) : null,
    startsTogether,
    headroom: headroomOf(own, flavor),
    pricePerHour: pricePerHour(own, offer),
    isWatched,
  }
}

/** The GPU flavors that the own project may use, what is free of them in a word, and what the own limits leave. */
export const getCatalog = async (ctx: ServiceContext): Promise<Catalog> => {
  requirePermission(ctx, 'catalog.read')
  const member = requireProject(ctx)
  const cloud = await findCloud(ctx, { cloud: member.cloud })
  const [use, watched, versions] = await Promise.all([
    askUse(ctx, member),
    watchedFlavors(ctx, { cloud, member }),
    loadPriceVersions(ctx.database, cloud.id),
  ])
  const catalog = cachedCatalog(ctx, cloud)
  const head = {
    cloud: cloud.name,
    project: member.scope.name,
    dashboards: ctx.dashboards
      .filter((one) => [null, cloud.name].includes(one.cloud))
      .map(({ kind, url }) => ({ kind, url })),
  }
  if (catalog === null || catalog.flavors === null)
    return { ...head, state: 'unread', limits: null, flavors: [] }
  const offers = projectOffers(catalog, member.scope.id)
  const prices = pricesOn(versions, dayOf(ctx.now()))
  const own: Own = { catalog, projectId: member.scope.id, use, prices }
  return {
    ...head,
    state: catalog.isStale ? 'stale' : 'ready',
    limits: limitsOf(
      own,
      offers.map(({ flavor }) => flavor),
    ),
    flavors: inOrder(offers.map((one) => flavorDto(own, { ...one, isWatched: watched.has(one.flavor.id) }))),
  }
}
