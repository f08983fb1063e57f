import 'server-only'
import type * as z from 'zod/mini'
import { compileCheck } from '@/lib/schemas/agent/compile-check'
import {
  gpuDeviceSchema,
  guestSchema,
  type Inventory,
  inventorySchema,
  mdevSchema,
  nvidiaSmiGpuSchema,
  nvidiaSmiSchema,
} from '@/lib/schemas/agent/inventory'
import { checkShape, isSurelyInShape } from './check-shape'
import { endOfValue } from './json-extent'
import { parseKnown } from './newer-contract'

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

/** What is parsed at once. `nvidiaSmi` is where it may hold unknown members. */
export type PartName = SectionName | 'smiDriver' | 'smiGpus'

/** Entries of a list that follow each other with a comma between. */
export type Entries = {
  /** Where the first one stands, counted from the start of the section. */
  start: number
  /** Bytes of each. */
  lengths: readonly number[]
  values: readonly unknown[]
}

/** One section as it was read, with the entries of the list that it is or holds. */
export type Section = { value: unknown; entries: Entries | null }

/** The section stands in `json` from `start` to the byte before `end`. */
export type KeptSection = { json: Buffer; start: number; end: number; section: Section }

/** The JSON is not in the canonical form, or not valid: whoever wants to know why parses it as a whole. */
export class NotCanonical extends Error {}

/** Below every limit of the contract; longer lists are rare and read as a whole. */
export const MOST_ENTRIES = 256
/** How many entries may have gone from a list at one place. */
const LOOK_AHEAD = 4
const COMMA = 0x2c

const part = (schema: z.ZodMiniType) => ({ schema, isUsual: compileCheck(schema) })
const shape = inventorySchema.shape
const smi = nvidiaSmiSchema.shape

const PARTS: Record<PartName, ReturnType<typeof part>> = {
  gpus: part(gpuDeviceSchema),
  guests: part(guestSchema),
  host: part(shape.host),
  mdevs: part(mdevSchema),
  novaConfig: part(shape.novaConfig),
  nvidiaSmi: part(shape.nvidiaSmi),
  smiDriver: part(smi.driverVersion),
  smiGpus: part(nvidiaSmiGpuSchema),
  problems: part(shape.problems),
  vgpuTypes: part(shape.vgpuTypes),
}

/** Whether `json` goes on at `at` with the bytes of `other` from `start` to `end`. */
export const goesOnWith = (
  json: Buffer,
  at: number,
  { other, start, end }: { other: Buffer; start: number; end: number },
): boolean => {
  const last = at + end - start
  return last <= json.length && json.compare(other, start, end, at, last) === 0
}

/** Whether the literal stands at `at`. */
export const startsWith = (json: Buffer, at: number, literal: Buffer): boolean =>
  goesOnWith(json, at, { other: literal, start: 0, end: literal.length })

export type PartExtent = { name: PartName; start: number; isNewer: boolean }

/** The part that begins at `start`, and where it ends. */
export const readPart = (
  json: Buffer,
  { name, start, isNewer }: PartExtent,
): { value: unknown; end: number } => {
  const end = endOfValue(json, start)
  if (end <= start) throw new NotCanonical()
  const text = json.toString('utf8', start, end)
  const input: unknown = JSON.parse(text)
  const { schema, isUsual } = PARTS[name]
  if (isSurelyInShape(text) && isUsual(input)) return { value: input, end }
  checkShape(input)
  return { value: isNewer ? parseKnown(schema, input) : schema.parse(input), end }
}

/** The entries from `first` to `last` of a kept list, and where the first one of them stands in the kept bytes. */
export type KeptEntries = { json: Buffer; start: number; entries: Entries; first: number; last: number }

/** The next of the kept entries that stands at `at`, up to a few further on; null: none of them. */
const findKept = (
  json: Buffer,
  at: number,
  { json: other, start: from, entries, first, last }: KeptEntries,
): { place: number; start: number; end: number } | null => {
  let start = from
  for (let place = first; place <= last && place <= first + LOOK_AHEAD; place += 1) {
    const end = start + (entries.lengths[place] ?? 0)
    if (goesOnWith(json, at, { other, start, end })) return { place, start, end }
    start = end + 1
  }
  return null
}

/**
 * The entries that follow each other from `start` on, up to one that no comma follows, or that ends at `mostEnd`. Those that are
 * kept with the same bytes are not read again.
 */
export const readEntries = (
  json: Buffer,
  { kept, mostEnd, ...extent }: PartExtent & { kept: KeptEntries | null; mostEnd: number },
): { lengths: number[]; values: unknown[]; end: number } => {
  const lengths: number[] = []
  const values: unknown[] = []
  let rest = kept
  let at = extent.start
  for (;;) {
    const hit = rest === null ? null : findKept(json, at, rest)
    if (rest === null || hit === null) {
      const { value, end } = readPart(json, { ...extent, start: at })
      values.push(value)
      lengths.push(end - at)
      at = end
    } else {
      values.push(rest.entries.values[hit.place])
      lengths.push(hit.end - hit.start)
      at += hit.end - hit.start
      rest = { ...rest, start: hit.end + 1, first: hit.place + 1 }
    }
    if (values.length > MOST_ENTRIES) throw new NotCanonical()
    if (at >= mostEnd || json[at] !== COMMA) return { lengths, values, end: at }
    at += 1
  }
}
