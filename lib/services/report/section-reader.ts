import 'server-only'
import {
  createCursor,
  type KeptSection,
  MOST_ENTRIES,
  NotCanonical,
  type Part,
  type PartName,
  SECTIONS,
  type Section,
  type SectionExtent,
  type SectionName,
} from './section-cursor'

/** Bytes of a kept section, counted from its start, outside of which nothing differs but the place. */
export type Touched = { from: number; to: number; growth: number }

const NULL = Buffer.from('null')
const OPEN_LIST = Buffer.from('[')
const CLOSE_OBJECT = Buffer.from('}')
const SMI_OPEN = Buffer.from('{"driverVersion":')
const SMI_GPUS = Buffer.from(',"gpus":[')

type Cursor = ReturnType<typeof createCursor>

const list = (cursor: Cursor, name: PartName): unknown[] => {
  cursor.take(OPEN_LIST)
  return cursor.entries(name)
}

const nullableList = (cursor: Cursor, name: PartName): unknown[] | null =>
  cursor.tryTake(NULL) ? null : list(cursor, name)

const nvidiaSmi = (cursor: Cursor): unknown => {
  if (cursor.isNewer) return cursor.value('nvidiaSmi')
  if (cursor.tryTake(NULL)) return null
  cursor.take(SMI_OPEN)
  const driverVersion = cursor.value('smiDriver')
  cursor.take(SMI_GPUS)
  const gpus = cursor.entries('smiGpus')
  cursor.take(CLOSE_OBJECT)
  return { driverVersion, gpus }
}

const READERS: Record<SectionName, (cursor: Cursor) => unknown> = {
  gpus: (cursor) => list(cursor, 'gpus'),
  guests: (cursor) => nullableList(cursor, 'guests'),
  host: (cursor) => cursor.value('host'),
  mdevs: (cursor) => nullableList(cursor, 'mdevs'),
  novaConfig: (cursor) => cursor.value('novaConfig'),
  nvidiaSmi,
  problems: (cursor) => cursor.value('problems'),
  vgpuTypes: (cursor) => cursor.value('vgpuTypes'),
}

/** The section at a place, from `start` on, against the one that is kept. Throws for what has another form or is not valid. */
export const readSection = (
  json: Buffer,
  { place, ...extent }: SectionExtent,
): { section: Section; end: number } => {
  const name = SECTIONS[place]
  if (name === undefined) throw new NotCanonical()
  const cursor = createCursor(json, extent)
  const value = READERS[name](cursor)
  const { parts, starts, lists } = cursor
  return { section: { value, parts, starts, lists }, end: cursor.position() }
}

/** The list of each section that may be read by its entries. */
const LISTS: Partial<Record<SectionName, PartName>> = {
  gpus: 'gpus',
  guests: 'guests',
  mdevs: 'mdevs',
  nvidiaSmi: 'smiGpus',
}

/** The entries that a difference touches, the neighbours of an edit between two of them too. */
const windowOf = (parts: readonly Part[], offset: number, { from, to }: Touched) => {
  let first = -1
  let last = -1
  let firstStart = 0
  let lastEnd = 0
  let start = offset
  let place = 0
  for (const { length } of parts) {
    const end = start + length
    if (end >= from && start <= to) {
      if (first < 0) {
        first = place
        firstStart = start
      }
      last = place
      lastEnd = end
    }
    start = end + 1
    place += 1
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
  const { parts, starts, lists, value } = kept.section
  const sectionName = SECTIONS[place]
  const name = sectionName && LISTS[sectionName]
  const known = name && parts[name]
  const offset = name && starts[name]
  if (name === undefined || known === undefined || offset === undefined) return null
  const window = windowOf(known, offset, touched)
  if (window === null || window.lastEnd + touched.growth <= window.firstStart) return null
  const { first, last, firstStart, lastEnd } = window
  const cursor = createCursor(json, { start: start + firstStart, kept, isNewer: false })
  const read = cursor.window(
    name,
    { first, last, offset: firstStart - offset },
    start + lastEnd + touched.growth,
  )
  const all = known.toSpliced(first, last - first + 1, ...read)
  if (all.length > MOST_ENTRIES) throw new NotCanonical()
  const list = all.map((part) => part.value)
  return {
    value: name === 'smiGpus' ? { ...(value as object), gpus: list } : list,
    parts: { ...parts, [name]: all },
    starts,
    lists: { ...lists, [name]: list },
  }
}
