import 'server-only'
import type { Edit } from '@/lib/schemas/agent/difference'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { checkShape } from './check-shape'
import { endOfValue } from './json-extent'
import { type KeptSection, NotCanonical, SECTIONS, type Section } from './section-cursor'
import { readSection, readTouched, type Touched } from './section-reader'

/** An inventory with the bytes that it was read from, so that the next one need not be read where it is the same. */
export type KeptInventory = {
  json: Buffer
  inventory: Inventory
  sections: readonly Section[]
  /** Where each section stands in the bytes. */
  starts: readonly number[]
  ends: readonly number[]
  /** Read with unknown members left out, so that nothing of it counts for a report that may hold none. */
  isNewer: boolean
}

type Extent = {
  start: number
  /** Of the byte after it. */
  end: number
  kept: KeptInventory | null
  /** Its contract is newer than the console's: unknown members are left out. */
  isNewer: boolean
}

const OPEN = 0x7b
const CLOSE = 0x7d
const COMMA = 0x2c
const COLON = 0x3a
const OPENINGS = SECTIONS.map((name, place) => Buffer.from(`${place === 0 ? '{' : ','}"${name}":`))
/** Where an unknown section stands before it. */
const FIRST_AFTER_ANOTHER = Buffer.from(`,"${SECTIONS[0]}":`)
const KNOWN = new Set<unknown>(SECTIONS)

const startsWith = (json: Buffer, at: number, text: Buffer): boolean =>
  at + text.length <= json.length && json.compare(text, 0, text.length, at, at + text.length) === 0

/**
 * Where the next section that is known begins, or without `opening` the end, behind all that are not. Those are held to the
 * limits and else not looked at.
 */
const skipUnknown = (
  json: Buffer,
  { start, at: from, end, opening }: { start: number; at: number; end: number; opening: Buffer | null },
): number => {
  let at = from
  while (at + 1 < end && (opening === null || !startsWith(json, at, opening))) {
    if (json[at] !== (at === start ? OPEN : COMMA)) throw new NotCanonical()
    const keyEnd = endOfValue(json, at + 1)
    if (json[keyEnd] !== COLON) throw new NotCanonical()
    const memberEnd = endOfValue(json, keyEnd + 1)
    if (memberEnd < 0 || memberEnd >= end) throw new NotCanonical()
    const member: object = JSON.parse(`{${json.toString('utf8', at + 1, memberEnd)}}`)
    checkShape(member)
    if (Object.keys(member).some((name) => KNOWN.has(name))) throw new NotCanonical()
    at = memberEnd
  }
  return at
}

const keptSection = (kept: KeptInventory | null, place: number): KeptSection | null => {
  const section = kept?.sections[place]
  const start = kept?.starts[place]
  return kept === null || section === undefined || start === undefined
    ? null
    : { json: kept.json, start, section }
}

/** Each part has passed its own schema, and together they are an inventory. */
const assemble = (sections: readonly Section[]): Inventory =>
  Object.fromEntries(SECTIONS.map((name, place) => [name, sections[place]?.value])) as Inventory

const readAll = (json: Buffer, { start, end, kept, isNewer }: Extent): KeptInventory => {
  const sections: Section[] = []
  const starts: number[] = []
  const ends: number[] = []
  let at = start
  for (const [place, usual] of OPENINGS.entries()) {
    let opening = usual
    if (isNewer && !startsWith(json, at, usual)) {
      if (place === 0) opening = FIRST_AFTER_ANOTHER
      at = skipUnknown(json, { start, at, end, opening })
    }
    const from = at + opening.length
    if (from > end || !startsWith(json, at, opening)) throw new NotCanonical()
    const read = readSection(json, { place, start: from, kept: keptSection(kept, place), isNewer })
    sections.push(read.section)
    starts.push(from)
    ends.push(read.end)
    at = read.end
  }
  if (isNewer) at = skipUnknown(json, { start, at, end, opening: null })
  if (at + 1 !== end || json[at] !== CLOSE) throw new NotCanonical()
  return { json, inventory: assemble(sections), sections, starts, ends, isNewer }
}

/**
 * Reads an inventory in canonical form from `start` to the byte before `end`. What has the same bytes as in the host's last
 * inventory is neither parsed nor checked again and stays the same object. Null: the whole report must be parsed.
 */
export const readInventory = (json: Buffer, extent: Extent): KeptInventory | null => {
  try {
    return readAll(json, extent)
  } catch {
    // Whatever is wrong with it, the parse of the whole names the field and the rule.
    return null
  }
}

/** What the edits touch of each section; null when one reaches beyond a section. */
const touchedSections = (
  { starts, ends }: KeptInventory,
  { edits, offset }: { edits: readonly Edit[]; offset: number },
): Map<number, Touched> | null => {
  const sections = new Map<number, Touched>()
  for (const [at, removed, inserted] of edits) {
    const from = at + offset
    const place = starts.findIndex(
      (start, place) => start <= from && from + removed <= (ends[place] ?? Number.NEGATIVE_INFINITY),
    )
    const start = starts[place]
    if (start === undefined) return null
    const before = sections.get(place)
    sections.set(place, {
      from: before?.from ?? from - start,
      to: from + removed - start,
      growth: (before?.growth ?? 0) + Buffer.byteLength(inserted) - removed,
    })
  }
  return sections
}

type EditedExtent = { place: number; start: number; end: number; kept: KeptInventory; touched: Touched }

const readEdited = (json: Buffer, { place, start, end, kept, touched }: EditedExtent): Section | null => {
  const { isNewer } = kept
  const before = keptSection(kept, place)
  // What is not kept entry by entry is read whole.
  const section =
    before === null || isNewer ? null : readTouched(json, { place, start, kept: before, touched })
  if (section !== null) return section
  const read = readSection(json, { place, start, kept: before, isNewer })
  return read.end === end ? read.section : null
}

/**
 * The same from the kept inventory's bytes with edits made, which `json` holds from its first byte to its last: only the
 * sections that an edit touches are looked at. `start`: where the kept inventory begins in its bytes. Null: read it all.
 */
export const readEditedInventory = (
  json: Buffer,
  { kept, start: offset, edits }: { kept: KeptInventory; start: number; edits: readonly Edit[] },
): KeptInventory | null => {
  const all = touchedSections(kept, { edits, offset })
  if (all === null) return null
  try {
    const sections = [...kept.sections]
    const starts: number[] = []
    const ends: number[] = []
    let shift = -offset
    for (let place = 0; place < SECTIONS.length; place += 1) {
      const start = (kept.starts[place] ?? 0) + shift
      const touched = all.get(place)
      shift += touched?.growth ?? 0
      const end = (kept.ends[place] ?? 0) + shift
      starts.push(start)
      ends.push(end)
      if (touched === undefined) continue
      const section = readEdited(json, { place, start, end, kept, touched })
      if (section === null) return null
      sections[place] = section
    }
    return { json, inventory: assemble(sections), sections, starts, ends, isNewer: kept.isNewer }
  } catch {
    return null
  }
}
