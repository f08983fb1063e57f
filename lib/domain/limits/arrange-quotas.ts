import type { QuotaClass, QuotaRow, QuotaSort, QuotaState } from '@/lib/schemas/api/quota'
import { naturalRanks } from '@/lib/util/natural-order'
import { hasTerms, searchTerms } from '@/lib/util/search-terms'

/** Of the limit; what is used at a limit of 0 is over it, and nothing at 0 is no use at all. Null: not known, or no limit. */
export const usedShare = ({ limit, used }: Pick<QuotaRow, 'limit' | 'used'>): number | null => {
  if (limit.kind !== 'number' || used.value === null) return null
  if (limit.value > 0) return used.value / limit.value
  return used.value > 0 ? Number.POSITIVE_INFINITY : 0
}

/** From here on a project is near its limit. */
const NEAR = 0.9

export const isOver = (row: QuotaRow): boolean => (row.left ?? 0) < 0 && row.used.value !== 0

export const isNear = (row: QuotaRow): boolean => {
  const share = usedShare(row)
  return share !== null && share >= NEAR && !isOver(row)
}

/** The limit's share of what the hardware has; null: one of them is not known, or there is no limit. */
export const capacityShare = (
  { limit }: Pick<QuotaRow, 'limit'>,
  { capacity }: Pick<QuotaClass, 'capacity'>,
): number | null =>
  limit.kind !== 'number' || capacity === null || capacity.value === null || capacity.value === 0
    ? null
    : Math.max(0, limit.value) / capacity.value

const isIn = (row: QuotaRow, state: QuotaState | null): boolean =>
  state === null ||
  (state === 'over' ? isOver(row) : state === 'near' ? isNear(row) : row.limit.origin === 'own')

/** Unlimited sorts above any number; unknown sorts last. */
const limitRank = ({ limit }: QuotaRow): number =>
  limit.kind === 'number' ? limit.value : limit.kind === 'unlimited' ? Number.POSITIVE_INFINITY : -2

const ranksOf = (texts: Iterable<string>): ReadonlyMap<string, number> => {
  const distinct = [...new Set(texts)]
  const ranks = naturalRanks(distinct)
  return new Map(distinct.map((text, index) => [text, ranks[index] ?? 0]))
}

type Key = (row: QuotaRow) => number

/** What rows are sorted by, in ascending order. */
const keysOf = (
  classOf: (row: QuotaRow) => Pick<QuotaClass, 'capacity'> | undefined,
): Record<Exclude<QuotaSort, 'project' | 'class'>, readonly Key[]> => {
  const share: Key = (row) => capacityShare(row, classOf(row) ?? { capacity: null }) ?? -1
  const used: Key = ({ used: { value } }) => value ?? -1
  return {
    use: [(row) => -(usedShare(row) ?? -1), (row) => -used(row)],
    limit: [(row) => -limitRank(row)],
    used: [(row) => -used(row)],
    // The smallest remainder first, because it needs action.
    left: [({ left }) => left ?? Number.POSITIVE_INFINITY],
    share: [(row) => -share(row)],
  }
}

const rising = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0)

/** Nothing is used and no own limit above 0 exists: most rows of a cloud. */
const isIdle = ({ limit, used }: QuotaRow): boolean =>
  used.value === 0 && (limit.origin !== 'own' || (limit.kind === 'number' && limit.value <= 0))

export type QuotaFilter = {
  q: string
  classes: readonly string[]
  projects: readonly string[]
  /** Classes of GPUs only. */
  isGpu: boolean
  /** Without idle rows, unless words are searched. */
  isInUse: boolean
  state: QuotaState | null
  /** Null: by class, then as the projects are given. */
  sort: QuotaSort | null
  desc: boolean
}

type Table<Class> = { classes: readonly Class[]; rows: readonly QuotaRow[] }

/** The rows of the chosen classes, else those of GPUs or of all. */
const wantedRows = (
  { classes, rows }: Table<Pick<QuotaClass, 'resourceName' | 'isGpu'>>,
  { classes: chosen, isGpu }: Pick<QuotaFilter, 'classes' | 'isGpu'>,
): QuotaRow[] => {
  const gpus = new Set(classes.filter((each) => each.isGpu).map(({ resourceName }) => resourceName))
  return rows.filter(({ resourceName }) =>
    chosen.length > 0 ? chosen.includes(resourceName) : !isGpu || gpus.has(resourceName),
  )
}

/** Equals by project and class. Keys are computed once for each row: tens of thousands of rows are compared with each other. */
const sorted = (
  rows: readonly QuotaRow[],
  {
    sort,
    desc,
    classOf,
  }: {
    sort: QuotaSort
    desc: boolean
    classOf: (row: QuotaRow) => Pick<QuotaClass, 'capacity'> | undefined
  },
): QuotaRow[] => {
  const names = ranksOf(rows.map(({ projectName }) => projectName))
  const classes = ranksOf(rows.map(({ resourceName }) => resourceName))
  const byName: Key = ({ projectName }) => names.get(projectName) ?? 0
  const byClass: Key = ({ resourceName }) => classes.get(resourceName) ?? 0
  const keys = { ...keysOf(classOf), project: [byName], class: [byClass] }
  const [first, second]: readonly Key[] = keys[sort]
  return rows
    .map((row) => ({
      row,
      first: first?.(row) ?? 0,
      second: second?.(row) ?? 0,
      name: byName(row),
      class: byClass(row),
    }))
    .toSorted((a, b) => {
      const order = rising(a.first, b.first) || rising(a.second, b.second)
      return (desc ? -order : order) || a.name - b.name || a.class - b.class
    })
    .map(({ row }) => row)
}

/** The rows that contain every word of `q`, of the wanted classes, projects and state, sorted; equals by project and class. */
export const arrangeQuotas = (
  { classes, rows }: Table<Pick<QuotaClass, 'resourceName' | 'isGpu' | 'capacity'>>,
  filter: QuotaFilter,
): QuotaRow[] => {
  const byClass = new Map(classes.map((each) => [each.resourceName, each]))
  const projects = new Set(filter.projects)
  const words = searchTerms(filter.q)
  const hasIdle = !filter.isInUse || words.length > 0
  const shown = wantedRows({ classes, rows }, filter).filter((row) => {
    if (!hasIdle && isIdle(row)) return false
    if (!isIn(row, filter.state) || (projects.size > 0 && !projects.has(row.projectId))) return false
    return words.length === 0 || hasTerms(`${row.projectName} ${row.projectId} ${row.resourceName}`, words)
  })
  if (filter.sort === null) return shown
  return sorted(shown, {
    sort: filter.sort,
    desc: filter.desc,
    classOf: (row) => byClass.get(row.resourceName),
  })
}

/** Counts rows over and near their limits and with their own limits, and unused rows of the classes in the filter. */
export const countQuotas = (
  table: Table<Pick<QuotaClass, 'resourceName' | 'isGpu'>>,
  filter: Pick<QuotaFilter, 'classes' | 'isGpu'>,
): { over: number; near: number; own: number; idle: number } => {
  const counts = { over: 0, near: 0, own: 0, idle: 0 }
  for (const row of wantedRows(table, { ...filter, classes: [] })) {
    if (isOver(row)) counts.over += 1
    if (isNear(row)) counts.near += 1
    if (row.limit.origin === 'own') counts.own += 1
  }
  counts.idle = wantedRows(table, filter).filter(isIdle).length
  return counts
}
