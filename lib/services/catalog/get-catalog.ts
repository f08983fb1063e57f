import 'server-only'
import type * as z from 'zod'
import { arrangeOffers, offerFilters } from '@/lib/domain/catalog/arrange-offers'
import type { FlavorOffer } from '@/lib/domain/catalog/flavor-offer'
import { limitHeadroom } from '@/lib/domain/catalog/limit-headroom'
import { countByGpu } from '@/lib/domain/catalog/own-servers'
import { projectQuotas, uncountedGpus } from '@/lib/domain/catalog/project-quotas'
import type { Flavor } from '@/lib/domain/cloud/types'
import type { ProjectUse } from '@/lib/domain/limits/quota-table'
import { amountText } from '@/lib/domain/price/amount'
import { type Price, type PriceList, pricesOn } from '@/lib/domain/price/price-list'
import { priceOfFlavor } from '@/lib/domain/price/price-of-flavor'
import type { Catalog, CatalogFlavor } from '@/lib/schemas/api/catalog'
import { type CatalogScope, catalogScopeSchema } from '@/lib/schemas/api/catalog-inputs'
import { requirePermission } from '@/lib/server/context/require-permission'
import { type ProjectMember, requireProject } from '@/lib/server/context/require-project'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { shareByKey } from '@/lib/server/sharing/share-by-key'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { dayOf, loadPriceVersions } from '@/lib/services/price/load-price-versions'
import { askUsages } from '@/lib/services/quota/ask-usages'
import { listedValues } from '@/lib/util/listed-values'
import { pageOf } from '@/lib/util/page-of'
import { type CatalogCache, cachedCatalog, projectOffers } from './catalog-cache'

/** A card of the page is about 40 elements, and a page has at most 1,500. */
const MAX_LIMIT = 48

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

/** Null: unknown, also where a device is part of a card without a known type. */
const priceOf = (prices: PriceList, { gpus, cards }: FlavorOffer): Price | null =>
  prices.size === 0 || cards.some(({ typeName, isolation }) => typeName === null && isolation !== 'whole')
    ? null
    : priceOfFlavor(prices, [{ count: gpus, gpus: cards }]).price

const pricePerHour = ({ prices }: Own, offer: FlavorOffer): CatalogFlavor['pricePerHour'] => {
  const price = priceOf(prices, offer)
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
      isolation: card.isolation,
      share: card.share,
      displays: card.displays,
      maxResolution: card.maxResolution,
      series: card.series,
    })),
    purposes: [...purposes],
    driverBranches: driverBranches === null ? null : [...driverBranches],
    availability: offer.availability,
    startsTogether,
    headroom: headroomOf(own, flavor),
    pricePerHour: pricePerHour(own, offer),
    isWatched,
  }
}

type Wanted = z.output<typeof catalogScopeSchema>
type Offers = ReturnType<typeof projectOffers>

const arrange = (
  offers: Offers,
  { watched, prices, wanted }: { watched: ReadonlySet<string>; prices: PriceList; wanted: Wanted },
) => {
  const ids = new Set(listedValues(wanted.ids ?? undefined))
  const isWanted = (id: string): boolean =>
    (ids.size === 0 || ids.has(id)) && (wanted.watched !== 'true' || watched.has(id))
  const rows = offers
    .filter(({ flavor }) => isWanted(flavor.id))
    .map((one) => ({ ...one, price: priceOf(prices, one.offer) }))
  return arrangeOffers(rows, {
    q: wanted.q ?? '',
    purpose: wanted.for ?? null,
    isolation: wanted.state ?? null,
    memoryGib: wanted.memory ?? null,
    sort: wanted.sort ?? 'price',
    desc: wanted.desc === 'true',
  })
}

/** Of the whole project, independent of the page. */
const quotasOf = (own: Own, offers: Offers): Pick<Catalog, 'quotas' | 'uncountedGpus' | 'servers'> => {
  const { catalog, projectId, use } = own
  const { fleet, limits } = catalog
  const servers = catalog.servers.get(projectId) ?? []
  return {
    quotas:
      limits === null || offers.length === 0
        ? null
        : projectQuotas(fleet, { view: limits.view, own: limits.own, projectId, use, offers, servers }),
    uncountedGpus: uncountedGpus(fleet, { offers, servers }),
    servers: countByGpu(servers),
  }
}

const readCatalog = async (
  ctx: ServiceContext,
  { cloud, member, wanted }: { cloud: Cloud; member: ProjectMember; wanted: Wanted },
): Promise<Catalog> => {
  const [use, watched, versions] = await Promise.all([
    askUse(ctx, member),
    watchedFlavors(ctx, { cloud, member }),
    loadPriceVersions(ctx.database, cloud.id),
  ])
  const catalog = cachedCatalog(ctx, cloud)
  const projectId = member.scope.id
  const isRead = catalog !== null && catalog.flavors !== null
  const offers = isRead ? projectOffers(catalog, projectId) : []
  const prices = pricesOn(versions, dayOf(ctx.now()))
  const page = pageOf(arrange(offers, { watched, prices, wanted }), {
    limit: Math.min(wanted.limit, MAX_LIMIT),
    cursor: wanted.cursor,
    keyOf: ({ flavor }) => flavor.id,
  })
  const head = {
    cloud: cloud.name,
    project: member.scope.name,
    counts: { all: offers.length },
    filters: offerFilters(offers.map(({ offer }) => offer)),
    hasPrices: offers.some(({ offer }) => priceOf(prices, offer) !== null),
    total: page.total,
    next: page.next,
    dashboards: ctx.dashboards
      .filter((one) => [null, cloud.name].includes(one.cloud))
      .map(({ kind, url }) => ({ kind, url })),
  }
  if (!isRead)
    return {
      ...head,
      state: 'unread',
      quotas: null,
      uncountedGpus: null,
      servers: countByGpu([]),
      flavors: [],
    }
  const own: Own = { catalog, projectId, use, prices }
  return {
    ...head,
    state: catalog.isStale ? 'stale' : 'ready',
    ...quotasOf(own, offers),
    flavors: page.rows.map(({ flavor, offer }) =>
      flavorDto(own, { flavor, offer, isWatched: watched.has(flavor.id) }),
    ),
  }
}

const share = shareByKey('catalog')

/**
 * The GPU flavors that the own project may use, page by page: what is free of them in a word, and what the own limits leave. Equal
 * requests of one person at the same time share one answer.
 */
export const getCatalog = async (ctx: ServiceContext, input: CatalogScope): Promise<Catalog> => {
  requirePermission(ctx, 'catalog.read')
  const member = requireProject(ctx)
  const wanted = parseInput(catalogScopeSchema, input)
  const cloud = await findCloud(ctx, { cloud: member.cloud })
  const key = JSON.stringify([cloud.id, member.scope.id, member.userId, wanted])
  return share(
    ctx.database,
    key,
    (signal) => readCatalog({ ...ctx, signal }, { cloud, member, wanted }),
    ctx.signal,
  )
}
