import 'server-only'
import type * as z from 'zod'
import type { Edit } from '@/lib/schemas/agent/difference'
import { type Inventory, inventorySchema } from '@/lib/schemas/agent/inventory'
import { checkShape } from './check-shape'
import { endOfValue } from './json-extent'

/** A value and where its bytes stand, counted from the start of its section. */
type Part = { start: number; end: number; value: unknown }

/** The members of an inventory in code unit order, as the canonical form has them. */
const SECTIONS = [
  'gpus',
  'guests',
  'host',
  'mdevs',
  'novaConfig',
  'nvidiaSmi',
  'problems',
  'vgpuTypes',
] as const satisfies readonly (keyof Inventory)[]
type SectionName = (typeof SECTIONS)[number]

type PartName = Exclude<SectionName, 'nvidiaSmi'> | 'smiDriver' | 'smiGpus'

/** One section as it was read. */
type Section = {
  value: unknown
  parts: Partial<Record<PartName, Part[]>>
  /** Lists as they stand in the value. */
  lists: Partial<Record<PartName, unknown[]>>
}

/** An inventory with the bytes that it was read from, so that the next one need not be read where it is the same. */
export type KeptInventory = {
  json: Buffer
  inventory: Inventory
  sections: readonly Section[]
  /** Where each section stands in the bytes. */
  starts: readonly number[]
  ends: readonly number[]
}

/** The JSON is not in the canonical form, or not valid: whoever wants to know why parses it as a whole. */
class NotCanonical extends Error {}

/** Below every limit of the contract; longer lists are rare and read as a whole. */
const MOST_ENTRIES = 256
/** How many entries may have gone from a list at one place. */
const LOOK_AHEAD = 4

const shape = inventorySchema.shape
const smi = shape.nvidiaSmi.unwrap().shape

const SCHEMAS: Record<PartName, z.ZodType> = {
  gpus: shape.gpus.element,
  guests: shape.guests.unwrap().element,
  host: shape.host,
  mdevs: shape.mdevs.unwrap().element,
  novaConfig: shape.novaConfig,
  smiDriver: smi.driverVersion,
  smiGpus: smi.gpus.element,
  problems: shape.problems,
  vgpuTypes: shape.vgpuTypes,
}

const NULL = Buffer.from('null')
const isDelimiter = (byte: number | undefined): boolean => byte === 0x2c || byte === 0x5d || byte === 0x7d

type KeptSection = { json: Buffer; start: number; section: Section }

/** Goes through one section from `start`, taking from the kept one whatever has the same bytes. */
const createCursor = (json: Buffer, start: number, kept: KeptSection | null) => {
  let at = start
  const parts: Section['parts'] = {}
  const lists: Section['lists'] = {}

  const tryTake = (literal: Buffer): boolean => {
    const end = at + literal.length
    if (end > json.length || json.compare(literal, 0, literal.length, at, end) !== 0) return false
    at = end
    return true
  }

  const keptAt = (name: PartName, place: number): Part | null => {
    const part = kept?.section.parts[name]?.[place]
    if (kept === null || part === undefined) return null
    const end = at + part.end - part.start
    if (end >= json.length || !isDelimiter(json[end])) return null
    const from = kept.start + part.start
    return json.compare(kept.json, from, kept.start + part.end, at, end) === 0 ? part : null
  }

  const add = (name: PartName, end: number, value: unknown): unknown => {
    const held = parts[name] ?? []
    held.push({ start: at - start, end: end - start, value })
    parts[name] = held
    at = end
    return value
  }

  const parse = (name: PartName): unknown => {
    const end = endOfValue(json, at)
    if (end <= at) throw new NotCanonical()
    const input: unknown = JSON.parse(json.toString('utf8', at, end))
    checkShape(input)
    return add(name, end, SCHEMAS[name].parse(input))
  }

  const reuse = (name: PartName, part: Part): unknown => add(name, at + part.end - part.start, part.value)

  /** The entries of a list, the very list of last time when none has changed. */
  const entries = (name: PartName): unknown[] => {
    const values: unknown[] = []
    let next = 0
    if (tryTake(CLOSE_LIST)) return keptList(name, values)
    do {
      if (values.length >= MOST_ENTRIES) throw new NotCanonical()
      let hit: Part | null = null
      for (let ahead = 0; ahead <= LOOK_AHEAD && hit === null; ahead += 1) {
        hit = keptAt(name, next + ahead)
        if (hit !== null) next += ahead + 1
      }
      values.push(hit === null ? parse(name) : reuse(name, hit))
    } while (tryTake(SEPARATOR))
    if (!tryTake(CLOSE_LIST)) throw new NotCanonical()
    return keptList(name, values)
  }

  const keptList = (name: PartName, values: unknown[]): unknown[] => {
    const before = kept?.section.lists[name]
    const isSame = before?.length === values.length && before.every((value, place) => value === values[place])
    const list = isSame ? before : values
    lists[name] = list
    return list
  }

  return {
    parts,
    lists,
    position: () => at,
    tryTake,
    take: (literal: Buffer): void => {
      if (!tryTake(literal)) throw new NotCanonical()
    },
    value: (name: PartName): unknown => {
      const part = keptAt(name, 0)
      return part === null ? parse(name) : reuse(name, part)
    },
    entries,
  }
}

const SEPARATOR = Buffer.from(',')
const OPEN_LIST = Buffer.from('[')
const CLOSE_LIST = Buffer.from(']')
const CLOSE = Buffer.from('}')
const SMI_OPEN = Buffer.from('{"driverVersion":')
const SMI_GPUS = Buffer.from(',"gpus":[')
const OPENINGS = SECTIONS.map((name, place) => Buffer.from(`${place === 0 ? '{' : ','}"${name}":`))

type Cursor = ReturnType<typeof createCursor>

const list = (cursor: Cursor, name: PartName): unknown[] => {
  cursor.take(OPEN_LIST)
  return cursor.entries(name)
}

const nullableList = (cursor: Cursor, name: PartName): unknown[] | null =>
  cursor.tryTake(NULL) ? null : list(cursor, name)

const nvidiaSmi = (cursor: Cursor): unknown => {
  if (cursor.tryTake(NULL)) return null
  cursor.take(SMI_OPEN)
  const driverVersion = cursor.value('smiDriver')
  cursor.take(SMI_GPUS)
  const gpus = cursor.entries('smiGpus')
  cursor.take(CLOSE)
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

/** The section at a place, from `start` on, against the kept one. */
const readSection = (
  json: Buffer,
  { place, start, kept }: { place: number; start: number; kept: KeptInventory | null },
): { section: Section; end: number } => {
  const name = SECTIONS[place]
  const section = kept?.sections[place]
  if (name === undefined) throw new NotCanonical()
  const keptSection =
    kept === null || section === undefined
      ? null
      : { json: kept.json, start: kept.starts[place] ?? 0, section }
  const cursor = createCursor(json, start, keptSection)
  const value = READERS[name](cursor)
  return { section: { value, parts: cursor.parts, lists: cursor.lists }, end: cursor.position() }
}

/** Each part has passed its own schema, and together they are an inventory. */
const assemble = (sections: readonly Section[]): Inventory =>
  Object.fromEntries(SECTIONS.map((name, place) => [name, sections[place]?.value])) as Inventory

const readAll = (
  json: Buffer,
  { start, end, kept }: { start: number; end: number; kept: KeptInventory | null },
): KeptInventory => {
  const sections: Section[] = []
  const starts: number[] = []
  const ends: number[] = []
  let at = start
  for (const [place, opening] of OPENINGS.entries()) {
    const from = at + opening.length
    if (from > end || json.compare(opening, 0, opening.length, at, from) !== 0) throw new NotCanonical()
    const read = readSection(json, { place, start: from, kept })
    sections.push(read.section)
    starts.push(from)
    ends.push(read.end)
    at = read.end
  }
  if (at + 1 !== end || json.compare(CLOSE, 0, 1, at, end) !== 0) throw new NotCanonical()
  return { json, inventory: assemble(sections), sections, starts, ends }
}

/**
 * Reads an inventory in canonical form from `start` to the byte before `end`. What has the same bytes as in the host's last
 * inventory is neither parsed nor checked again and stays the same object. Null: the whole report must be parsed.
 */
export const readInventory = (
  json: Buffer,
  extent: { start: number; end: number; kept: KeptInventory | null },
): KeptInventory | null => {
  try {
    return readAll(json, extent)
  } catch {
    // Whatever is wrong with it, the parse of the whole names the field and the rule.
    return null
  }
}

/** How many bytes longer each section gets; null when an edit reaches beyond one section. */
const growthOf = (
  { starts, ends }: KeptInventory,
  { edits, offset }: { edits: readonly Edit[]; offset: number },
): Map<number, number> | null => {
  const growth = new Map<number, number>()
  for (const [at, removed, inserted] of edits) {
    const from = at + offset
    const place = starts.findIndex(
      (start, place) => start <= from && from + removed <= (ends[place] ?? Number.NEGATIVE_INFINITY),
    )
    if (place < 0) return null
    growth.set(place, (growth.get(place) ?? 0) + Buffer.byteLength(inserted) - removed)
  }
  return growth
}

/**
 * The same from the kept inventory's bytes with edits made, which `json` holds from its first byte to its last: only the
 * sections that an edit touches are looked at. `start`: where the kept inventory begins in its bytes. Null: read it all.
 */
export const readEditedInventory = (
  json: Buffer,
  { kept, start: offset, edits }: { kept: KeptInventory; start: number; edits: readonly Edit[] },
): KeptInventory | null => {
  const growth = growthOf(kept, { edits, offset })
  if (growth === null) return null
  try {
    const sections = [...kept.sections]
    const starts: number[] = []
    const ends: number[] = []
    let shift = -offset
    for (let place = 0; place < SECTIONS.length; place += 1) {
      const start = (kept.starts[place] ?? 0) + shift
      const grown = growth.get(place)
      shift += grown ?? 0
      const end = (kept.ends[place] ?? 0) + shift
      starts.push(start)
      ends.push(end)
      if (grown === undefined) continue
      const read = readSection(json, { place, start, kept })
      if (read.end !== end) return null
      sections[place] = read.section
    }
    return { json, inventory: assemble(sections), sections, starts, ends }
  } catch {
    return null
  }
}
