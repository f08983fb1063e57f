import 'server-only'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import * as z from 'zod'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/domain/history/series'
import {
  decodePage,
  encodePage,
  PAGE_FORMS,
  type PageForm,
  type PageSeries,
} from '@/lib/domain/utilization/usage-codec'
import { MINUTE_PAGE_KINDS, type USAGE_KINDS } from '@/lib/schemas/states'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { bytesColumn } from '@/lib/server/database/row'

/** `minute` and `five` by hours, `hour` by days, `day` by months. */
export type Step = 'minute' | 'five' | 'hour' | 'day'
/** pGPUs and vGPUs have separate pages. */
export type Kind = (typeof USAGE_KINDS)[number]

/** How long a span of a page is, and how many each has. */
export const STEPS: Record<Step, { unitMs: number; form: PageForm }> = {
  minute: { unitMs: MINUTE_MS, form: { length: 60, parts: PAGE_FORMS.minutes } },
  five: { unitMs: 5 * MINUTE_MS, form: { length: 12, parts: PAGE_FORMS.series } },
  hour: { unitMs: HOUR_MS, form: { length: 24, parts: PAGE_FORMS.series } },
  day: { unitMs: DAY_MS, form: { length: 31, parts: PAGE_FORMS.series } },
}

/** Begin of the page in which a moment lies; both in ms. */
export const pageBegin = (step: Step, at: number): number => {
  if (step === 'minute' || step === 'five') return Math.floor(at / HOUR_MS) * HOUR_MS
  if (step === 'hour') return Math.floor(at / DAY_MS) * DAY_MS
  const day = new Date(at)
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth())
}

/** What fits into a small window needs no large one: zlib's own takes longer to set up than a page to deflate. */
const SMALL = { level: 9, windowBits: 12, memLevel: 5, chunkSize: 4096 }
const ANY = { level: 9 }

/** As a column: short ones are stored packed, longer ones deflated; the first byte has the format. */
export const squeeze = (bytes: Uint8Array): string => {
  const small = bytes.length > 40 ? deflateRawSync(bytes, bytes.length > 4000 ? ANY : SMALL) : bytes
  const isSmaller = small.length < bytes.length
  return `${isSmaller ? '01' : '00'}${Buffer.from(isSmaller ? small : bytes).toString('hex')}`
}

export const unsqueeze = (stored: Uint8Array): Uint8Array =>
  stored[0] === 1 ? inflateRawSync(stored.subarray(1)) : stored.subarray(1)

/** The table of a page; the tables have different retention. */
const tableOf = (step: Step, kind: string): string =>
  step === 'hour' && kind === 'vgpu' ? 'utilisation_vgpu_hour' : `utilisation_${step}`

// SQL: the table depends on step and kind, pages are written with unnest, and unchanged pages are not written.
const load = (table: string): string => `
SELECT host_id AS "hostId", kind, begin, slots FROM ${table}
WHERE host_id = ANY($1::int[]) AND kind = ANY($2::text[]) AND begin >= $3::timestamptz AND begin < $4::timestamptz
ORDER BY host_id, begin, kind`

const store = (table: string): string => `
INSERT INTO ${table} AS page (host_id, kind, begin, slots)
SELECT $1, p.kind, p.begin, decode(p.slots, 'hex')
FROM unnest($2::text[], $3::timestamptz[], $4::text[]) AS p (kind, begin, slots)
ON CONFLICT (host_id, kind, begin) DO UPDATE SET slots = excluded.slots WHERE page.slots <> excluded.slots`

const pageRow = z.object({
  hostId: z.int(),
  kind: z.enum(MINUTE_PAGE_KINDS),
  begin: z.date(),
  slots: bytesColumn,
})
type StoredPage = z.infer<typeof pageRow>

/** Stored bytes of the pages of a step that begin from `from` on and before `until` (ms). */
export const loadRawPages = async (
  query: Query,
  { step, hostIds, kinds, from, until }: PageRange & { kinds: readonly string[] },
): Promise<StoredPage[]> => {
  const tables = [...new Set(kinds.map((kind) => tableOf(step, kind)))]
  const params = [pgArray(hostIds), pgArray(kinds), new Date(from), new Date(until)]
  const pages: StoredPage[] = []
  for (const table of tables) pages.push(...(await query(load(table), params, pageRow)))
  return pages
}

type PageRange = { step: Step; hostIds: readonly number[]; from: number; until: number }
export type LoadedPage = { hostId: number; kind: Kind; begin: number; series: PageSeries[] }

/** The pages in which the range from `from` to `until` (ms) lies; `wanted`: with these series of them alone. */
export const loadPages = async (
  query: Query,
  {
    kinds,
    wanted,
    ...range
  }: PageRange & { kinds: readonly Kind[]; wanted?: { has: (id: number) => boolean } },
): Promise<LoadedPage[]> => {
  const rows = await loadRawPages(query, { ...range, kinds, from: pageBegin(range.step, range.from) })
  const { form } = STEPS[range.step]
  return rows.map(({ hostId, kind, begin, slots }) => ({
    hostId,
    kind: kind === 'vgpu' ? 'vgpu' : 'pgpu',
    begin: begin.getTime(),
    series: decodePage(unsqueeze(slots), form, wanted),
  }))
}

export type RawPage = { step: Step; kind: string; begin: number; hex: string }

/** Writes pages of one host; those that are the same stay untouched. */
export const storeRawPages = async (
  query: Query,
  hostId: number,
  pages: readonly RawPage[],
): Promise<void> => {
  const tables = new Set(pages.map(({ step, kind }) => tableOf(step, kind)))
  for (const table of tables) {
    const own = pages.filter(({ step, kind }) => tableOf(step, kind) === table)
    await query(store(table), [
      hostId,
      pgArray(own.map(({ kind }) => kind)),
      pgArray(own.map(({ begin }) => new Date(begin).toISOString())),
      pgArray(own.map(({ hex }) => hex)),
    ])
  }
}

export type NewPage = { step: Step; kind: Kind; begin: number; series: readonly PageSeries[] }

export const rawPage = ({ step, kind, begin, series }: NewPage): RawPage => ({
  step,
  kind,
  begin,
  hex: squeeze(encodePage(series, STEPS[step].form)),
})
