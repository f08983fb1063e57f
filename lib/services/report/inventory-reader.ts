import 'server-only'
import type { Edit } from '@/lib/schemas/agent/difference'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { checkShape } from './check-shape'
import { endOfValue } from './json-extent'
import {
  type KeptSection,
  NotCanonical,
  SECTIONS,
  type Section,
  type SectionName,
  startsWith,
} from './section-parts'
import { readSection, readTouched, type Touched } from './section-reader'

/** An inventory with the bytes that it was read from, so that the next one need not be read where it is the same. */
export type KeptInventory = {
  json: Buffer
  inventory: Inventory
  sections: Section[]
  /** Where each section stands in the bytes. */
  starts: number[]
  ends: number[]
  /** Read with unknown members left out, so that nothing of it counts for a report that may hold none. */
  isNewer: boolean
}

type Extent = {
  kept: KeptInventory | null
  /** Its contract is newer than the console's: unknown members are left out. */
  isNewer: boolean
}

const OPEN = 0x7b
const CLOSE = 0x7d
const COMMA = 0x2c
const COLON = 0x3a
const MEMBERS = SECTIONS.map((name, place) => ({
  name,
  opening: Buffer.from(`${place === 0 ? '{' : ','}"${name}":`),
}))

type Values = Record<SectionName, unknown>
const NO_VALUES: Values = {
  gpus: null,
  guests: null,
  host: null,
  mdevs: null,
  novaConfig: null,
  nvidiaSmi: null,
  problems: null,
  vgpuTypes: null,
}
/** Where an unknown section stands before it. */
const FIRST_AFTER_ANOTHER = Buffer.from(`,"${SECTIONS[0]}":`)
const KNOWN = new Set<unknown>(SECTIONS)

/**
 * Where the next section that is known begins, or without `opening` the end, behind all that are not. Those are held to the
 * limits and else not looked at.
 */
const skipUnknown = (json: Buffer, { at: from, opening }: { at: number; opening: Buffer | null }): number => {
  let at = from
  while (at + 1 < json.length && (opening === null || !startsWith(json, at, opening))) {
    if (json[at] !== (at === 0 ? OPEN : COMMA)) throw new NotCanonical()
    const keyEnd = endOfValue(json, at + 1)
    if (json[keyEnd] !== COLON) throw new NotCanonical()
    const memberEnd = endOfValue(json, keyEnd + 1)
    if (memberEnd < 0 || memberEnd >= json.length) throw new NotCanonical()
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
  const end = kept?.ends[place]
  return kept === null || section === undefined || start === undefined || end === undefined
    ? null
    : { json: kept.json, start, end, section }
}

/** Each part has passed its own schema, and together they are an inventory. */
const asInventory = (values: Values): Inventory => values as Inventory

const readAll = (json: Buffer, { kept, isNewer }: Extent): KeptInventory => {
  const sections: Section[] = []
  const starts: number[] = []
  const ends: number[] = []
  const values: Values = { ...NO_VALUES }
  let at = 0
  for (const [place, { name, opening: usual }] of MEMBERS.entries()) {
    let opening = usual
    if (isNewer && !startsWith(json, at, usual)) {
      if (place === 0) opening = FIRST_AFTER_ANOTHER
      at = skipUnknown(json, { at, opening })
    }
    const from = at + opening.length
    if (!startsWith(json, at, opening)) throw new NotCanonical()
    const read = readSection(json, { place, start: from, kept: keptSection(kept, place), isNewer })
    sections.push(read.section)
    values[name] = read.section.value
    starts.push(from)
    ends.push(read.end)
    at = read.end
  }
  if (isNewer) at = skipUnknown(json, { at, opening: null })
  if (at + 1 !== json.length || json[at] !== CLOSE) throw new NotCanonical()
  return { json, inventory: asInventory(values), sections, starts, ends, isNewer }
}

/**
 * Reads an inventory in canonical form, which `json` holds and nothing else. What has the same bytes as in the host's last
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

type TouchedSection = Touched & { place: number }

/** What the edits touch, section by section in their order; null when an edit reaches beyond a section. */
const touchedSections = (
  { starts, ends }: KeptInventory,
  edits: readonly Edit[],
): TouchedSection[] | null => {
  const sections: TouchedSection[] = []
  let last: TouchedSection | undefined
  let place = 0
  for (const [from, removed, inserted] of edits) {
    const to = from + removed
    while (place < ends.length && (ends[place] ?? 0) < to) place += 1
    const start = starts[place]
    if (start === undefined || from < start) return null
    const growth = Buffer.byteLength(inserted) - removed
    if (last?.place === place) {
      last.to = to - start
      last.growth += growth
    } else {
      last = { place, from: from - start, to: to - start, growth }
      sections.push(last)
    }
  }
  return sections
}

/** The section anew that begins at `start` of the edited bytes; null when it cannot be told from the kept one. */
const readEdited = (
  json: Buffer,
  { kept, start, touched }: { kept: KeptInventory; start: number; touched: TouchedSection },
): Section | null => {
  const { isNewer } = kept
  const { place, growth } = touched
  const before = keptSection(kept, place)
  if (before === null) return null
  // What is not kept entry by entry is read whole.
  const section = isNewer ? null : readTouched(json, { place, start, kept: before, touched })
  if (section !== null) return section
  const read = readSection(json, { place, start, kept: before, isNewer })
  return read.end === start + before.end - before.start + growth ? read.section : null
}

const readAllEdited = (
  json: Buffer,
  { kept, touched }: { kept: KeptInventory; touched: readonly TouchedSection[] },
): Section[] | null => {
  const sections: Section[] = []
  let shift = 0
  for (const one of touched) {
    const section = readEdited(json, { kept, start: (kept.starts[one.place] ?? 0) + shift, touched: one })
    if (section === null) return null
    sections.push(section)
    shift += one.growth
  }
  return sections
}

/**
 * Turns the kept inventory into the one that `json` holds, its own bytes with the edits made: only the sections that an edit
 * touches are looked at. False: it is as it was, and `json` is to be read as a whole.
 */
export const editInventory = (
  kept: KeptInventory,
  { json, edits }: { json: Buffer; edits: readonly Edit[] },
): boolean => {
  const touched = touchedSections(kept, edits)
  if (touched === null) return false
  let sections: Section[] | null
  try {
    sections = readAllEdited(json, { kept, touched })
  } catch {
    return false
  }
  if (sections === null) return false
  const values: Values = { ...kept.inventory }
  let shift = 0
  let next = 0
  for (let place = 0; place < SECTIONS.length; place += 1) {
    kept.starts[place] = (kept.starts[place] ?? 0) + shift
    const name = SECTIONS[place]
    const section = sections[next]
    if (name !== undefined && section !== undefined && touched[next]?.place === place) {
      kept.sections[place] = section
      values[name] = section.value
      shift += touched[next]?.growth ?? 0
      next += 1
    }
    kept.ends[place] = (kept.ends[place] ?? 0) + shift
  }
  kept.json = json
  kept.inventory = asInventory(values)
  return true
}
