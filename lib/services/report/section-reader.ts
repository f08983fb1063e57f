import 'server-only'
import type * as z from 'zod/mini'
import {
  gpuDeviceSchema,
  guestSchema,
  type Inventory,
  inventorySchema,
  mdevSchema,
  nvidiaSmiGpuSchema,
  nvidiaSmiSchema,
} from '@/lib/schemas/agent/inventory'
import { checkShape } from './check-shape'
import { endOfValue } from './json-extent'
import { parseKnown } from './newer-contract'

/** A value and where its bytes stand, counted from the start of its section. */
type Part = { start: number; end: number; value: unknown }

/** The members of an inventory in code unit order, as the canonical form has them. */
export const SECTIONS = [
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

/** `nvidiaSmi` is one part where it may hold unknown members. */
type PartName = SectionName | 'smiDriver' | 'smiGpus'

/** One section as it was read. */
export type Section = {
  value: unknown
  parts: Partial<Record<PartName, Part[]>>
  /** Lists as they stand in the value. */
  lists: Partial<Record<PartName, unknown[]>>
}

/** The JSON is not in the canonical form, or not valid: whoever wants to know why parses it as a whole. */
export class NotCanonical extends Error {}

/** Below every limit of the contract; longer lists are rare and read as a whole. */
const MOST_ENTRIES = 256
/** How many entries may have gone from a list at one place. */
const LOOK_AHEAD = 4

const shape = inventorySchema.shape
const smi = nvidiaSmiSchema.shape

const SCHEMAS: Record<PartName, z.ZodMiniType> = {
  gpus: gpuDeviceSchema,
  guests: guestSchema,
  host: shape.host,
  mdevs: mdevSchema,
  novaConfig: shape.novaConfig,
  nvidiaSmi: shape.nvidiaSmi,
  smiDriver: smi.driverVersion,
  smiGpus: nvidiaSmiGpuSchema,
  problems: shape.problems,
  vgpuTypes: shape.vgpuTypes,
}

const NULL = Buffer.from('null')
const isDelimiter = (byte: number | undefined): boolean => byte === 0x2c || byte === 0x5d || byte === 0x7d

export type KeptSection = { json: Buffer; start: number; section: Section }

type SectionExtent = { place: number; start: number; kept: KeptSection | null; isNewer: boolean }

/** Goes through one section from `start`, taking from the kept one whatever has the same bytes. */
const createCursor = (json: Buffer, { start, kept, isNewer }: Omit<SectionExtent, 'place'>) => {
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
    const schema = SCHEMAS[name]
    return add(name, end, isNewer ? parseKnown(schema, input) : schema.parse(input))
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
    isNewer,
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
  return { section: { value, parts: cursor.parts, lists: cursor.lists }, end: cursor.position() }
}
