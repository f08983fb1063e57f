import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  type FlavorList,
  type FlavorSort,
  type FlavorState,
  flavorFitSchema,
  flavorListSchema,
  typeFitSchema,
} from '@/lib/schemas/api/flavor'
import { flavorOffersSchema } from '@/lib/schemas/api/flavor-offer'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'
import { pollWhileMoving } from './poll-interval'

type Scope = { cloud: string | null }

/** What the list is narrowed to and sorted by. */
export type FlavorPageQuestion = Scope & {
  q: string
  state: FlavorState | null
  sort: FlavorSort
  desc: 'true' | 'false'
}

type FlavorFitScope = Scope & { flavor: string; zone: string | null }
type TypeFitScope = Scope & { type: string }

const flavorKeys = {
  all: ['flavors'] as const,
  pages: (question: FlavorPageQuestion) => ['flavors', 'pages', question] as const,
  fit: ({ cloud, flavor, zone }: FlavorFitScope) => ['flavors', 'fit', { cloud, flavor, zone }] as const,
  offers: ({ cloud }: Scope) => ['flavors', 'offers', { cloud }] as const,
  typeFit: ({ cloud, type }: TypeFitScope) => ['flavors', 'typeFit', { cloud, type }] as const,
}

/** The first page as the server prefetches it. */
export const firstFlavorPage = (question: FlavorPageQuestion) => ({ ...question, limit: '50' })

export const flavorPagesOptions = (question: FlavorPageQuestion) =>
  infiniteQueryOptions({
    queryKey: flavorKeys.pages(question),
    queryFn: ({ pageParam, signal }) =>
      requestJson({
        path: apiPaths.flavors({ ...firstFlavorPage(question), cursor: pageParam }),
        schema: flavorListSchema,
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: FlavorList) => next,
    placeholderData: keepPreviousData,
    refetchInterval: pollWhileMoving({ fastMs: 10_000, slowMs: 20_000 }),
  })

/** Each answer asks Placement anew, so it does not poll as fast as what only reads. */
const askingPace = { fastMs: 15_000, slowMs: 30_000 }

export const flavorFitOptions = (scope: FlavorFitScope) =>
  queryOptions({
    queryKey: flavorKeys.fit(scope),
    queryFn: ({ signal }) =>
      requestJson({ path: apiPaths.flavorFit(scope), schema: flavorFitSchema, signal }),
    refetchInterval: pollWhileMoving(askingPace),
  })

export const typeFitOptions = (scope: TypeFitScope) =>
  queryOptions({
    queryKey: flavorKeys.typeFit(scope),
    queryFn: ({ signal }) => requestJson({ path: apiPaths.typeFit(scope), schema: typeFitSchema, signal }),
    refetchInterval: pollWhileMoving(askingPace),
  })

/** What a flavor can be built from. It is chosen from, so it does not move under the hand. */
export const flavorOffersOptions = (scope: Scope) =>
  queryOptions({
    queryKey: flavorKeys.offers(scope),
    queryFn: ({ signal }) =>
      requestJson({ path: apiPaths.flavorOffers(scope), schema: flavorOffersSchema, signal }),
    staleTime: 60_000,
  })
