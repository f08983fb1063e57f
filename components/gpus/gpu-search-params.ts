import { createParser, parseAsBoolean, parseAsNativeArrayOf, parseAsString, parseAsStringLiteral } from 'nuqs'
import { GROUPINGS, SORT_COLUMNS } from './arrange-gpus'
import { HOLDINGS } from './filter-gpus'

/** `?model=` narrows to nothing that has a name, so it counts as absent. */
const parseAsWord = createParser({
  parse: (text) => (text === '' ? null : text),
  serialize: (text: string) => text,
})

/** What the GPUs page keeps in its address. The names are public: links from other pages and bookmarks use them. */
export const gpuSearchParams = {
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
