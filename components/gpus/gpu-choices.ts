import { frameworkWords } from '@/components/gpu/gpu-words'
import type { Choice } from '@/components/ui/choice-button'
import { GROUPINGS } from '@/lib/domain/gpu-list/arrange-gpus'
import { entryCount } from '@/lib/domain/gpu-list/entry-count'
import { NO_AGGREGATE, NO_TYPE } from '@/lib/domain/gpu-list/filter-gpus'
import { type GpuStore, isCloudRead } from '@/lib/domain/gpu-list/gpu-store'
import { HOLDINGS, type Holding } from '@/lib/schemas/holdings'
import { naturalOrder } from '@/lib/util/natural-order'

const HOLDING_WORDS: Record<Holding, string> = {
  used: 'vGPUs in use',
  spare: 'spare vGPUs',
  orphan: 'orphans',
  free: 'room for more',
  stranded: 'stranded vGPUs',
  unknown: 'unknown numbers',
  silent: 'a silent host',
}

const NO_CLOUD = 'No cloud is read.'

/** Not by `localeCompare`: the first one loads the browser's language data while the page starts. */
const byName = (a: Choice, b: Choice) => naturalOrder(a.label, b.label)

export const modelChoices = ({ data, sizes }: GpuStore): Choice[] =>
  data.models
    .map((model, at) => ({ value: model, label: model, count: sizes.model[at] ?? 0 }))
    .toSorted(byName)

/** Types of one id are one choice, though drivers may describe them differently. */
export const typeChoices = (store: GpuStore): Choice[] => {
  const { data, sizes } = store
  const byId = new Map<string, { value: string; label: string; count: number }>()
  for (const [at, { typeId, shortName }] of data.types.entries()) {
    const held = byId.get(typeId)
    const count = (held?.count ?? 0) + (sizes.type[at] ?? 0)
    const label = held === undefined || held.label === typeId ? shortName : held.label
    byId.set(typeId, { value: typeId, label, count })
  }
  const none = { value: NO_TYPE, label: 'no type', count: entryCount(store, 'type', null) }
  return [...[...byId.values()].toSorted(byName), ...(none.count === 0 ? [] : [none])]
}

export const frameworkChoices = ({ data, sizes }: GpuStore): Choice[] =>
  data.frameworks.map((value, at) => ({
    value,
    label: frameworkWords(value),
    count: sizes.framework[at] ?? 0,
  }))

/** A host in several aggregates counts in each of them. */
export const aggregateChoices = ({ data, sizes }: GpuStore): Choice[] => {
  const of = sizes.aggregateSet
  const counts = new Map<string, number>()
  let inNone = 0
  for (const [at, names] of data.aggregateSets.entries()) {
    if (names.length === 0) inNone += of[at] ?? 0
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + (of[at] ?? 0))
  }
  const named = [...counts].map(([name, count]) => ({ value: name, label: name, count })).toSorted(byName)
  if (named.length === 0 || inNone === 0) return named
  return [...named, { value: NO_AGGREGATE, label: 'in no aggregate', count: inNone }]
}

/** Why the list can't be grouped by aggregate; null when it can. */
const noAggregatesBecause = (store: GpuStore): string | null => {
  const { aggregateSets } = store.data
  if (aggregateSets.some((names) => names.length > 0)) return null
  if (!isCloudRead(store)) return NO_CLOUD
  return aggregateSets.length === 0 ? 'The cloud’s aggregates are not known.' : 'No host is in an aggregate.'
}

export const groupChoices = (store: GpuStore): Choice[] => {
  const because = noAggregatesBecause(store)
  return GROUPINGS.map((value) => ({
    value,
    label: value === 'none' ? 'nothing' : value,
    ...(value === 'aggregate' && because !== null ? { unavailable: because } : {}),
  }))
}

export const holdingChoices = (store: GpuStore): Choice[] =>
  HOLDINGS.map((value) => ({
    value,
    label: HOLDING_WORDS[value],
    ...(value === 'stranded' && !isCloudRead(store) ? { unavailable: NO_CLOUD } : {}),
  }))
