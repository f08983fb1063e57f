import 'server-only'
import type { NvidiaSmi } from '@/lib/schemas/agent/inventory'
import {
  type Entries,
  goesOnWith,
  type KeptSection,
  MOST_ENTRIES,
  NotCanonical,
  type PartName,
  readEntries,
  readPart,
  SECTIONS,
  type Section,
  type SectionName,
  startsWith,
} from './section-parts'

/** Bytes of a kept section, counted from its start, outside of which nothing differs but the place. */
export type Touched = { from: number; to: number; growth: number }

type SectionExtent = { start: number; kept: KeptSection | null; isNewer: boolean }
type Read = { section: Section; end: number }

const NULL = Buffer.from('null')
const OPEN_LIST = Buffer.from('[')
const CLOSE_LIST = Buffer.from(']')
const CLOSE_OBJECT = Buffer.from('}')
const SMI_OPEN = Buffer.from('{"driverVersion":')
const SMI_GPUS = Buffer.from(',"gpus":[')

/** Where the JSON goes on behind the literal. */
const behind = (json: Buffer, at: number, literal: Buffer): number => {
  if (!startsWith(json, at, literal)) throw new NotCanonical()
  return at + literal.length
}

/** The kept list where none of its entries has changed, so that it stays the very same. */
const sameOr = (kept: Entries | null, values: unknown[]): readonly unknown[] => {
  const before = kept?.values
  const isSame = before?.length === values.length && before.every((value, place) => value === values[place])
  return isSame ? before : values
}

/** The entries of a list whose first one, or whose end, stands at `at`. */
const readList = (
  json: Buffer,
  { name, at, start, kept, isNewer }: SectionExtent & { name: PartName; at: number },
): { entries: Entries; end: number } => {
  const before = kept?.section.entries ?? null
  const isEmpty = startsWith(json, at, CLOSE_LIST)
  const read = isEmpty
    ? { lengths: [], values: [], end: at }
    : readEntries(json, {
        name,
        start: at,
        isNewer,
        mostEnd: json.length,
        kept: kept &&
          before && {
            json: kept.json,
            start: kept.start + before.start,
            entries: before,
            first: 0,
            last: before.lengths.length - 1,
          },
      })
  const { lengths, values, end } = read
  return {
    entries: { start: at - start, lengths, values: sameOr(before, values) },
    end: behind(json, end, CLOSE_LIST),
  }
}

type Reader = (json: Buffer, extent: SectionExtent) => Read

const whole =
  (name: SectionName): Reader =>
  (json, { start, isNewer }) => {
    const { value, end } = readPart(json, { name, start, isNewer })
    return { section: { value, entries: null }, end }
  }

const list =
  (name: SectionName): Reader =>
  (json, extent) => {
    const { entries, end } = readList(json, { ...extent, name, at: behind(json, extent.start, OPEN_LIST) })
    return { section: { value: entries.values, entries }, end }
  }

const orNull =
  (read: Reader): Reader =>
  (json, extent) =>
    startsWith(json, extent.start, NULL)
      ? { section: { value: null, entries: null }, end: extent.start + NULL.length }
      : read(json, extent)

const wholeSmi = whole('nvidiaSmi')

const nvidiaSmi: Reader = (json, extent) => {
  const { start, isNewer } = extent
  if (isNewer) return wholeSmi(json, extent)
  const driver = readPart(json, { name: 'smiDriver', start: behind(json, start, SMI_OPEN), isNewer })
  const at = behind(json, driver.end, SMI_GPUS)
  const { entries, end } = readList(json, { ...extent, name: 'smiGpus', at })
  const value = { driverVersion: driver.value, gpus: entries.values }
  return { section: { value, entries }, end: behind(json, end, CLOSE_OBJECT) }
}

const READERS: Record<SectionName, Reader> = {
  gpus: list('gpus'),
  guests: orNull(list('guests')),
  host: whole('host'),
  mdevs: orNull(list('mdevs')),
  novaConfig: whole('novaConfig'),
  nvidiaSmi: orNull(nvidiaSmi),
  problems: whole('problems'),
  vgpuTypes: whole('vgpuTypes'),
}

/** The section at a place, from `start` on, against the one that is kept. Throws for what has another form or is not valid. */
export const readSection = (
  json: Buffer,
  { place, ...extent }: SectionExtent & { place: number },
): { section: Section; end: number } => {
  const name = SECTIONS[place]
  if (name === undefined) throw new NotCanonical()
  const { start, kept } = extent
  if (kept !== null && goesOnWith(json, start, { other: kept.json, start: kept.start, end: kept.end }))
    return { section: kept.section, end: start + kept.end - kept.start }
  return READERS[name](json, extent)
}

/** The list of each section that may be read by its entries. */
const LISTS: Partial<Record<SectionName, PartName>> = {
  gpus: 'gpus',
  guests: 'guests',
  mdevs: 'mdevs',
  nvidiaSmi: 'smiGpus',
}

/** The entries that a difference touches, the neighbours of an edit between two of them too. */
const windowOf = ({ start: offset, lengths }: Entries, { from, to }: Touched) => {
  let first = -1
  let last = -1
  let firstStart = 0
  let lastEnd = 0
  let start = offset
  for (let place = 0; place < lengths.length && start <= to; place += 1) {
    const end = start + (lengths[place] ?? 0)
    if (end >= from) {
      if (first < 0) {
        first = place
        firstStart = start
      }
      last = place
      lastEnd = end
    }
    start = end + 1
  }
  const isInside = first >= 0 && from >= firstStart && to <= lastEnd
  return isInside ? { first, last, firstStart, lastEnd } : null
}

/**
 * The section at a place of which only some bytes differ from the kept one: a list is read by the entries that these belong to,
 * all others stay. Null: it is to be read as a whole. Throws as readSection does.
 */
export const readTouched = (
  json: Buffer,
  { place, start, kept, touched }: { place: number; start: number; kept: KeptSection; touched: Touched },
): Section | null => {
  const { value, entries } = kept.section
  const sectionName = SECTIONS[place]
  const name = sectionName && LISTS[sectionName]
  const window = entries && windowOf(entries, touched)
  if (name === undefined || entries === null || window === null) return null
  const { first, last, firstStart, lastEnd } = window
  const end = start + lastEnd + touched.growth
  if (end <= start + firstStart) return null
  const read = readEntries(json, {
    name,
    start: start + firstStart,
    isNewer: false,
    mostEnd: end,
    kept: { json: kept.json, start: kept.start + firstStart, entries, first, last },
  })
  if (read.end !== end) throw new NotCanonical()
  const gone = last - first + 1
  const values = entries.values.toSpliced(first, gone, ...read.values)
  if (values.length > MOST_ENTRIES) throw new NotCanonical()
  const lengths = entries.lengths.toSpliced(first, gone, ...read.lengths)
  return {
    value: name === 'smiGpus' ? { driverVersion: (value as NvidiaSmi).driverVersion, gpus: values } : values,
    entries: { start: entries.start, lengths, values },
  }
}
