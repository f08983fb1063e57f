import 'server-only'
import type { Edit } from '@/lib/schemas/agent/difference'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { type KeptSection, NotCanonical, readSection, SECTIONS, type Section } from './section-reader'

/** An inventory with the bytes that it was read from, so that the next one need not be read where it is the same. */
export type KeptInventory = {
  json: Buffer
  inventory: Inventory
  sections: readonly Section[]
  /** Where each section stands in the bytes. */
  starts: readonly number[]
  ends: readonly number[]
}

const CLOSE = Buffer.from('}')
const OPENINGS = SECTIONS.map((name, place) => Buffer.from(`${place === 0 ? '{' : ','}"${name}":`))

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
    const read = readSection(json, { place, start: from, kept: keptSection(kept, place) })
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
      const read = readSection(json, { place, start, kept: keptSection(kept, place) })
      if (read.end !== end) return null
      sections[place] = read.section
    }
    return { json, inventory: assemble(sections), sections, starts, ends }
  } catch {
    return null
  }
}
