import type * as nuqs from 'nuqs/server'
import { GROUPINGS, SORT_COLUMNS } from '@/lib/domain/gpu-list/arrange-gpus'
import type { GpuFilter } from '@/lib/domain/gpu-list/filter-gpus'
import type { GpuListing } from '@/lib/domain/gpu-list/first-gpus'
import { HOLDINGS } from '@/lib/schemas/holdings'

/** nuqs has its parsers twice, for the browser and for the server. */
type Parsers = Pick<
  typeof nuqs,
  'createParser' | 'parseAsBoolean' | 'parseAsNativeArrayOf' | 'parseAsString' | 'parseAsStringLiteral'
>

/** What the GPUs page keeps in its address. The names are public: links from other pages and bookmarks use them. */
export const gpuSearchParamsBy = ({
  createParser,
  parseAsBoolean,
  parseAsNativeArrayOf,
  parseAsString,
  parseAsStringLiteral,
}: Parsers) => {
  /** `?model=` narrows to nothing that has a name, so it counts as absent. */
  const parseAsWord = createParser({
    parse: (text) => (text === '' ? null : text),
    serialize: (text: string) => text,
  })
  return {
    q: parseAsString.withDefault(''),
    model: parseAsNativeArrayOf(parseAsWord),
    type: parseAsNativeArrayOf(parseAsWord),
    framework: parseAsNativeArrayOf(parseAsWord),
    aggregate: parseAsNativeArrayOf(parseAsWord),
    finding: parseAsWord,
    holds: parseAsStringLiteral(HOLDINGS),
    group: parseAsStringLiteral(GROUPINGS).withDefault('model'),
    sort: parseAsStringLiteral(SORT_COLUMNS).withDefault('host'),
    desc: parseAsBoolean.withDefault(false),
  }
}

type GpuParams = nuqs.inferParserType<ReturnType<typeof gpuSearchParamsBy>>

/** What of the address narrows the list. */
export type FilterParams = Pick<GpuParams, keyof typeof NO_FILTER>

/** The filter in the search params. */
export const filterOf = ({
  q,
  model,
  type,
  framework,
  aggregate,
  finding,
  holds,
}: FilterParams): GpuFilter => ({
  text: q,
  models: model,
  types: type,
  frameworks: framework,
  aggregates: aggregate,
  finding,
  holding: holds,
})

/** The list in the search params. */
export const listingOf = (params: GpuParams): GpuListing => ({
  filter: filterOf(params),
  grouping: params.group,
  sort: { column: params.sort, isDescending: params.desc },
})

/** Clears what narrows the list; grouping and sorting stay. */
export const NO_FILTER = {
  q: null,
  model: null,
  type: null,
  framework: null,
  aggregate: null,
  finding: null,
  holds: null,
} as const
