import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import * as z from 'zod'
import type { CloudPart } from '@/lib/domain/cloud/freshness'
import type { Spoken } from '@/lib/domain/cloud/types'
import { inSlices } from '@/lib/util/in-slices'
import { type PartValue, READ_PART } from './part-schemas'

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** Grows with every change of the stored shapes: what an older console stored then counts as never heard. */
const SHAPE_VERSION = 1
const MOST_BYTES = 1024 * 1024 * 1024

const storedSchema = z.object({ version: z.literal(SHAPE_VERSION), value: z.unknown() })

const ITEMS_PER_STEP = 100

function* jsonInSteps(value: unknown): Generator<void, string> {
  if (!Array.isArray(value)) return JSON.stringify(value)
  const texts: string[] = []
  for (let from = 0; from < value.length; from += ITEMS_PER_STEP) {
    texts.push(JSON.stringify(value.slice(from, from + ITEMS_PER_STEP)).slice(1, -1))
    yield
  }
  return `[${texts.join()}]`
}

export const encodePart = async (value: unknown): Promise<Buffer> => {
  const text = await inSlices(jsonInSteps(value))
  return compress(`{"version":${SHAPE_VERSION},"value":${text}}`, { level: 4 })
}

/** Null: written by a console of another shape. */
export const decodePart = async <Part extends CloudPart>(
  part: Part,
  body: Uint8Array,
): Promise<PartValue<Part> | null> => {
  const text = await decompress(body, { maxOutputLength: MOST_BYTES })
  const stored = storedSchema.safeParse(JSON.parse(text.toString()))
  return stored.success ? READ_PART[part](stored.data.value) : null
}

export const neverHeard = (now: Date): Spoken<never> => ({
  value: null,
  at: null,
  error: 'the first reading round has not ended yet',
  failingSince: now.toISOString(),
})
