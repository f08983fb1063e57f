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

/** A value and how many bytes it has. Parts of one name follow each other with a comma between. */
export type Part = { length: number; value: unknown }

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
export type SectionName = (typeof SECTIONS)[number]

/** `nvidiaSmi` is one part where it may hold unknown members. */
export type PartName = SectionName | 'smiDriver' | 'smiGpus'

/** One section as it was read. */
export type Section = {
  value: unknown
  parts: Partial<Record<PartName, Part[]>>
  /** Where the first part of each name stands, counted from the start of the section. */
  starts: Partial<Record<PartName, number>>
  /** Lists as they stand in the value. */
  lists: Partial<Record<PartName, unknown[]>>
}

/** The JSON is not in the canonical form, or not valid: whoever wants to know why parses it as a whole. */
export class NotCanonical extends Error {}

/** Below every limit of the contract; longer lists are rare and read as a whole. */
export const MOST_ENTRIES = 256
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

const SEPARATOR = Buffer.from(',')
const CLOSE_LIST = Buffer.from(']')
const isDelimiter = (byte: number | undefined): boolean => byte === 0x2c || byte === 0x5d || byte === 0x7d

export type KeptSection = { json: Buffer; start: number; section: Section }

export type SectionExtent = { place: number; start: number; kept: KeptSection | null; isNewer: boolean }

/** The entries from `first` to `last` of a kept list, and how far its own start is from the first one's. */
type Window = { first: number; last: number; offset: number }

/** Goes through one section from `start`, taking from the kept one whatever has the same bytes. */
export const createCursor = (json: Buffer, { start, kept, isNewer }: Omit<SectionExtent, 'place'>) => {
  let at = start
  const parts: Section['parts'] = {}
  const starts: Section['starts'] = {}
  const lists: Section['lists'] = {}

  const tryTake = (literal: Buffer): boolean => {
    const end = at + literal.length
    if (end > json.length || json.compare(literal, 0, literal.length, at, end) !== 0) return false
    at = end
    return true
  }

  const holds = ({ length }: Part, from: number): boolean => {
    const end = at + length
    if (kept === null || end >= json.length || !isDelimiter(json[end])) return false
    return json.compare(kept.json, from, from + length, at, end) === 0
  }

  const take = (name: PartName, part: Part): unknown => {
    starts[name] ??= at - start
    const held = parts[name] ?? []
    held.push(part)
    parts[name] = held
    at += part.length
    return part.value
  }

  const parse = (name: PartName): unknown => {
    const end = endOfValue(json, at)
    if (end <= at) throw new NotCanonical()
    const input: unknown = JSON.parse(json.toString('utf8', at, end))
    checkShape(input)
    const schema = SCHEMAS[name]
    return take(name, {
      length: end - at,
      value: isNewer ? parseKnown(schema, input) : schema.parse(input),
    })
  }

  const keptStart = (name: PartName): number => (kept?.start ?? 0) + (kept?.section.starts[name] ?? 0)

  /** The entries that follow each other from here on, those of the window taken where their bytes are the same. */
  const follow = (name: PartName, { first, last, offset }: Window, end: number | null): void => {
    const known = kept?.section.parts[name] ?? []
    let next = first
    let from = keptStart(name) + offset
    do {
      let hit = next
      let hitFrom = from
      while (hit <= last && hit <= next + LOOK_AHEAD) {
        const part = known[hit]
        if (part === undefined || holds(part, hitFrom)) break
        hitFrom += part.length + 1
        hit += 1
      }
      const part = hit <= last && hit <= next + LOOK_AHEAD ? known[hit] : undefined
      if (part === undefined) parse(name)
      else {
        take(name, part)
        next = hit + 1
        from = hitFrom + part.length + 1
      }
      if ((parts[name]?.length ?? 0) > MOST_ENTRIES) throw new NotCanonical()
    } while (at !== end && tryTake(SEPARATOR))
  }

  /** The entries of a list, the very list of last time when none has changed. */
  const entries = (name: PartName): unknown[] => {
    if (tryTake(CLOSE_LIST)) return keptList(name, [])
    follow(name, { first: 0, last: (kept?.section.parts[name]?.length ?? 0) - 1, offset: 0 }, null)
    if (!tryTake(CLOSE_LIST)) throw new NotCanonical()
    return keptList(
      name,
      (parts[name] ?? []).map(({ value }) => value),
    )
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
    starts,
    lists,
    isNewer,
    position: () => at,
    tryTake,
    take: (literal: Buffer): void => {
      if (!tryTake(literal)) throw new NotCanonical()
    },
    value: (name: PartName): unknown => {
      const part = kept?.section.parts[name]?.[0]
      return part !== undefined && holds(part, keptStart(name)) ? take(name, part) : parse(name)
    },
    entries,
    /** The entries of a window alone, which end before `end`. */
    window: (name: PartName, window: Window, end: number): readonly Part[] => {
      follow(name, window, end)
      if (at !== end) throw new NotCanonical()
      return parts[name] ?? []
    },
  }
}
