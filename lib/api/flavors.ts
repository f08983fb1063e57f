import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { FitGroup } from '@/lib/schemas/api/fit'
import type { FlavorFit, FlavorList, FlavorSort, FlavorState, TypeFit } from '@/lib/schemas/api/flavor'
import type { FlavorOffers } from '@/lib/schemas/api/flavor-offer'
import type { ListQuestion } from '@/lib/schemas/api/list-query'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'
import { pagedList } from './paged-list'
import { pollWhileMoving } from './poll-interval'

type Scope = { cloud: string | null }

/** What the hosts of a fit are narrowed to. */
export type HostQuestion = { q: string; group: FitGroup | null }

type FlavorFitScope = Scope & HostQuestion & { flavor: string; zone: string | null }
type TypeFitScope = Scope & HostQuestion & { type: string }

const flavorKeys = {
  fit: (scope: FlavorFitScope) => ['flavors', 'fit', scope] as const,
  offers: ({ cloud }: Scope) => ['flavors', 'offers', { cloud }] as const,
  typeFit: (scope: TypeFitScope) => ['flavors', 'typeFit', scope] as const,
}

/** GPU flavors with what fits now. */
export const flavorPages = pagedList<ListQuestion<FlavorSort, FlavorState>, FlavorList>({
  key: ['flavors', 'pages'],
  path: apiPaths.flavors,
})

/** Each answer queries Placement, so it polls more slowly than answers that only read the database. */
const askingPace = { fastMs: 15_000, slowMs: 30_000 }

/** A host is about 50 elements with its GPUs and reasons, and a page has at most 1,500. */
const FIT_HOSTS = '15'

/** The first page as the server prefetches it. */
export const firstFitPage = <FitScope extends FlavorFitScope | TypeFitScope>(scope: FitScope) => ({
  ...scope,
  limit: FIT_HOSTS,
})

export const flavorFitOptions = (scope: FlavorFitScope) =>
  infiniteQueryOptions({
    queryKey: flavorKeys.fit(scope),
    queryFn: ({ pageParam, signal }) =>
      requestJson<FlavorFit>({
        path: apiPaths.flavorFit({ ...firstFitPage(scope), cursor: pageParam }),
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ fit }: FlavorFit) => fit.next,
    placeholderData: (previous, query) => (query?.queryKey[2].flavor === scope.flavor ? previous : undefined),
    refetchInterval: pollWhileMoving(askingPace),
  })

export const typeFitOptions = (scope: TypeFitScope) =>
  infiniteQueryOptions({
    queryKey: flavorKeys.typeFit(scope),
    queryFn: ({ pageParam, signal }) =>
      requestJson<TypeFit>({
        path: apiPaths.typeFit({ ...firstFitPage(scope), cursor: pageParam }),
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ fit }: TypeFit) => fit.next,
    placeholderData: (previous, query) => (query?.queryKey[2].type === scope.type ? previous : undefined),
    refetchInterval: pollWhileMoving(askingPace),
  })

/** What a flavor can be built from. It is chosen from, so it does not move under the hand. */
export const flavorOffersOptions = (scope: Scope) =>
  queryOptions({
    queryKey: flavorKeys.offers(scope),
    queryFn: ({ signal }) => requestJson<FlavorOffers>({ path: apiPaths.flavorOffers(scope), signal }),
    staleTime: 60_000,
  })
