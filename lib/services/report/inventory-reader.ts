import 'server-only'
import type * as z from 'zod'
import { type Inventory, inventorySchema } from '@/lib/schemas/agent/inventory'
import { checkShape } from './check-shape'
import { endOfValue } from './json-extent'

/** A value and where its bytes stand in the JSON that it was read from. */
type Part = { start: number; end: number; value: unknown }

const PART_NAMES = [
  'gpus',
  'guests',
  'host',
  'mdevs',
  'novaConfig',
  'smiDriver',
  'smiGpus',
  'problems',
  'vgpuTypes',
] as const
type PartName = (typeof PART_NAMES)[number]

/** An inventory with the bytes that it was read from, so that the next one need not be read where it is the same. */
export type KeptInventory = {
  json: Buffer
  inventory: Inventory
  parts: Record<PartName, Part[]>
  /** Lists as they stand in the inventory. */
  lists: Partial<Record<PartName, unknown[]>>
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

/** Goes through one inventory, taking from the kept one whatever has the same bytes. */
const createCursor = (json: Buffer, start: number, kept: KeptInventory | null) => {
  let at = start
  const parts = Object.fromEntries(PART_NAMES.map((name) => [name, [] as Part[]])) as Record<PartName, Part[]>
  const lists: KeptInventory['lists'] = {}

  const tryTake = (literal: Buffer): boolean => {
    const end = at + literal.length
    if (end > json.length || json.compare(literal, 0, literal.length, at, end) !== 0) return false
    at = end
    return true
  }

  const keptAt = (name: PartName, place: number): Part | null => {
    const part = kept?.parts[name][place]
    if (kept === null || part === undefined) return null
    const end = at + part.end - part.start
    if (end >= json.length || !isDelimiter(json[end])) return null
    return json.compare(kept.json, part.start, part.end, at, end) === 0 ? part : null
  }

  const parse = (name: PartName): unknown => {
    const end = endOfValue(json, at)
    if (end <= at) throw new NotCanonical()
    const input: unknown = JSON.parse(json.toString('utf8', at, end))
    checkShape(input)
    const value = SCHEMAS[name].parse(input)
    parts[name].push({ start: at, end, value })
    at = end
    return value
  }

  const reuse = (name: PartName, part: Part): unknown => {
    const end = at + part.end - part.start
    parts[name].push({ start: at, end, value: part.value })
    at = end
    return part.value
  }

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
    const before = kept?.lists[name]
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
/** The members in code unit order, as the canonical form has them. */
const OPEN = {
  gpus: Buffer.from('{"gpus":['),
  guests: Buffer.from(',"guests":'),
  host: Buffer.from(',"host":'),
  mdevs: Buffer.from(',"mdevs":'),
  novaConfig: Buffer.from(',"novaConfig":'),
  nvidiaSmi: Buffer.from(',"nvidiaSmi":'),
  problems: Buffer.from(',"problems":'),
  vgpuTypes: Buffer.from(',"vgpuTypes":'),
}

type Cursor = ReturnType<typeof createCursor>

const nullableEntries = (cursor: Cursor, name: PartName): unknown[] | null => {
  if (cursor.tryTake(NULL)) return null
  cursor.take(OPEN_LIST)
  return cursor.entries(name)
}

const nvidiaSmi = (cursor: Cursor): unknown => {
  if (cursor.tryTake(NULL)) return null
  cursor.take(SMI_OPEN)
  const driverVersion = cursor.value('smiDriver')
  cursor.take(SMI_GPUS)
  const gpus = cursor.entries('smiGpus')
  cursor.take(CLOSE)
  return { driverVersion, gpus }
}

/** Each part has passed its own schema, and together they are an inventory. */
const assemble = (cursor: Cursor): Inventory => {
  cursor.take(OPEN.gpus)
  const gpus = cursor.entries('gpus')
  cursor.take(OPEN.guests)
  const guests = nullableEntries(cursor, 'guests')
  cursor.take(OPEN.host)
  const host = cursor.value('host')
  cursor.take(OPEN.mdevs)
  const mdevs = nullableEntries(cursor, 'mdevs')
  cursor.take(OPEN.novaConfig)
  const novaConfig = cursor.value('novaConfig')
  cursor.take(OPEN.nvidiaSmi)
  const smiFacts = nvidiaSmi(cursor)
  cursor.take(OPEN.problems)
  const problems = cursor.value('problems')
  cursor.take(OPEN.vgpuTypes)
  const vgpuTypes = cursor.value('vgpuTypes')
  cursor.take(CLOSE)
  return { host, vgpuTypes, gpus, mdevs, guests, novaConfig, nvidiaSmi: smiFacts, problems } as Inventory
}

/**
 * Reads an inventory in canonical form from `start` to the byte before `end`. What has the same bytes as in the host's last
 * inventory is neither parsed nor checked again and stays the same object. Null: the whole report must be parsed.
 */
export const readInventory = (
  json: Buffer,
  { start, end, kept }: { start: number; end: number; kept: KeptInventory | null },
): KeptInventory | null => {
  try {
    const cursor = createCursor(json, start, kept)
    const inventory = assemble(cursor)
    if (cursor.position() !== end) return null
    return { json, inventory, parts: cursor.parts, lists: cursor.lists }
  } catch {
    // Whatever is wrong with it, the parse of the whole names the field and the rule.
    return null
  }
}
