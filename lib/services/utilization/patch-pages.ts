import 'server-only'
import { DAY_MS } from '@/lib/domain/history/series'
import type { PageSeries } from '@/lib/domain/utilization/usage-codec'
import { joinUsage, type UsageSlot } from '@/lib/domain/utilization/usage-slot'
import type { Query } from '@/lib/server/database/database'
import { type Kind, loadPages, pageBegin, rawPage, STEPS, type Step, storeRawPages } from './page-rows'

type Slots = (UsageSlot | null)[]
/** Spans by series number, each in its place of the page. */
export type Patch = ReadonlyMap<number, ReadonlyMap<number, UsageSlot | null>>

const KINDS = ['pgpu', 'vgpu'] as const

/** What the patch does not name has nothing at these indexes. */
const patched = (
  page: readonly PageSeries[],
  { patch, indexes, length }: { patch: Patch; indexes: readonly number[]; length: number },
): PageSeries[] => {
  const series = new Map<number, Slots>(page.map(({ id, slots }) => [id, slots]))
  for (const id of patch.keys()) if (!series.has(id)) series.set(id, new Array<null>(length).fill(null))
  for (const [id, slots] of series)
    for (const index of indexes) slots[index] = patch.get(id)?.get(index) ?? null
  return [...series]
    .filter(([, slots]) => slots.some((slot) => slot !== null))
    .map(([id, slots]) => ({ id, slots }))
}

type PageKey = { hostId: number; step: Step; begin: number; indexes: readonly number[] }

/** Replaces slots of a host's pages and answers with the resulting pages. */
const patchPages = async (
  query: Query,
  { hostId, step, begin, indexes }: PageKey,
  patches: Record<Kind, Patch>,
): Promise<Record<Kind, PageSeries[]>> => {
  const stored = await loadPages(query, {
    step,
    hostIds: [hostId],
    kinds: KINDS,
    from: begin,
    until: begin + 1,
  })
  const { length } = STEPS[step].form
  const pageOf = (kind: Kind): PageSeries[] =>
    patched(stored.find((page) => page.kind === kind)?.series ?? [], {
      patch: patches[kind],
      indexes,
      length,
    })
  const pages = { pgpu: pageOf('pgpu'), vgpu: pageOf('vgpu') }
  const isWanted = (kind: Kind): boolean =>
    pages[kind].length > 0 || stored.some((page) => page.kind === kind)
  await storeRawPages(
    query,
    hostId,
    KINDS.filter(isWanted).map((kind) => rawPage({ step, kind, begin, series: pages[kind] })),
  )
  return pages
}

// SQL: inserts with the cloud of the host in one statement.
const MARK = `
INSERT INTO utilisation_mark (cloud_id, day) SELECT h.cloud_id, $2::date FROM host h WHERE h.id = $1`

const sumOf = (pages: readonly PageSeries[], index: number): Patch =>
  new Map(pages.map(({ id, slots }) => [id, new Map([[index, joinUsage(slots)]])]))

/**
 * Writes hours of one UTC day, and the day that follows from all its hours; marks the day, so that the figures of groups
 * are rebuilt. `day`: its begin in ms; `indexes`: the hours to write; `hours`: by series number and hour.
 */
export const patchHours = async (
  query: Query,
  {
    hostId,
    day,
    indexes,
    hours,
  }: { hostId: number; day: number; indexes: readonly number[]; hours: Record<Kind, Patch> },
): Promise<void> => {
  const pages = await patchPages(query, { hostId, step: 'hour', begin: day, indexes }, hours)
  const index = new Date(day).getUTCDate() - 1
  const days = { pgpu: sumOf(pages.pgpu, index), vgpu: sumOf(pages.vgpu, index) }
  await patchPages(query, { hostId, step: 'day', begin: pageBegin('day', day), indexes: [index] }, days)
  await query(MARK, [hostId, new Date(day).toISOString().slice(0, 10)])
}

/** Begin of the UTC day of a moment, in ms. */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS
