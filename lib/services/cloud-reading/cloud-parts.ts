import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import * as z from 'zod'
import type { CloudPart } from '@/lib/domain/cloud/freshness'
import type { PartReading } from '@/lib/domain/cloud/types'
import { inSlices } from '@/lib/util/in-slices'
import { type PartValue, READ_PART } from './part-schemas'

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** Increase with every change of the stored shapes: data of an older console then counts as never read. */
const SHAPE_VERSION = 2
const MAX_BYTES = 1024 * 1024 * 1024

const HEAD = JSON.stringify({ version: SHAPE_VERSION })

/** As consoles stored a part before: the shape is the same. */
const inOneLineSchema = z.object({ version: z.literal(1), value: z.unknown() })

const ITEMS_PER_LINE = 100

/** The head, then JSON per line: a value, or some items of a list each. */
function* linesInSteps(value: unknown): Generator<void, string> {
  if (!Array.isArray(value)) return `${HEAD}\n${JSON.stringify(value)}`
  const lines = [HEAD]
  for (let from = 0; from < value.length; from += ITEMS_PER_LINE) {
    lines.push(JSON.stringify(value.slice(from, from + ITEMS_PER_LINE)))
    yield
  }
  return lines.join('\n')
}

export const encodePart = async (value: unknown): Promise<Buffer> =>
  compress(await inSlices(linesInSteps(value)), { level: 4 })

function* parseInSteps(lines: readonly string[]): Generator<void, unknown> {
  const items: unknown[] = []
  for (const line of lines) {
    const value: unknown = JSON.parse(line)
    if (!Array.isArray(value)) return value
    items.push(...value)
    yield
  }
  return items
}

/** Null: written by a console of another shape. */
export const decodePart = async <Part extends CloudPart>(
  part: Part,
  body: Uint8Array,
): Promise<PartValue<Part> | null> => {
  const text = await decompress(body, { maxOutputLength: MAX_BYTES })
  const [head = '', ...lines] = text.toString().split('\n')
  if (head === HEAD) return READ_PART[part](await inSlices(parseInSteps(lines)))
  const stored = inOneLineSchema.safeParse(JSON.parse(head))
  return stored.success ? READ_PART[part](stored.data.value) : null
}

export const neverRead = (now: Date): PartReading<never> => ({
  value: null,
  at: null,
  error: 'the first reading round has not ended yet',
  failingSince: now.toISOString(),
})
