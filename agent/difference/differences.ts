import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { DIFFERENCE_LIMITS, type Difference, type Edit } from '@/lib/schemas/agent/difference'
import { type Acknowledgement, REPORT_LIMITS, reportHeadSchema } from '@/lib/schemas/agent/report'
import type { SpoolEntry } from '../spool/spool-entry'
import { diffText } from './diff-text'

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** Below this gzip costs more than it saves: the request fits one packet as it is. */
const SMALL_BYTES = 1200
/** Longer inventories are sent whole: they would have to be held twice. */
const MOST_CHARACTERS = 1_048_576
const MOST_SKIPPED = 64

export type DifferenceBody = { body: Buffer; isGzip: boolean }

/**
 * Reports as differences against the last one that the console acknowledged. Nothing of it is on disk: a new start sends
 * its first report whole, and so does whoever lost the base.
 */
export type Differences = {
  /** The report as a difference; null: send it whole. */
  encode: (entry: SpoolEntry) => Promise<DifferenceBody | null>
  /** The console has it and says whether it takes differences against it. */
  acknowledged: (entry: SpoolEntry, acknowledgement: Acknowledgement) => Promise<void>
  /** The console does not take this difference: the report goes whole, and some after it, more with each refusal. */
  refused: () => void
}

type Parsed = { head: Omit<Difference, 'base' | 'edits'>; inventory: string }

const KEY = '"inventory":'

/** A report in the form in which `encodeReportJson` writes it; null for any other, and then it goes whole. */
const parseEntry = async ({ body }: SpoolEntry): Promise<Parsed | null> => {
  const text = (await decompress(body, { maxOutputLength: REPORT_LIMITS.uncompressedBytes })).toString()
  const key = text.indexOf(`,${KEY}`)
  if (key < 0 || text.length > MOST_CHARACTERS) return null
  const head = reportHeadSchema.safeParse(JSON.parse(`${text.slice(0, key)}}`))
  return head.success ? { head: head.data, inventory: text.slice(key + 1 + KEY.length, -1) } : null
}

const insertedLength = (edits: readonly Edit[]): number =>
  edits.reduce((sum, [, , inserted]) => sum + inserted.length, 0)

/** The body of a difference, plain while it is small; null beyond the contract's limit. */
export const encodeDifference = async (difference: Difference): Promise<DifferenceBody | null> => {
  const plain = Buffer.from(JSON.stringify(difference))
  if (plain.length > DIFFERENCE_LIMITS.bytes) return null
  if (plain.length <= SMALL_BYTES) return { body: plain, isGzip: false }
  return { body: await compress(plain), isGzip: true }
}

export const createDifferences = (): Differences => {
  let base: { digest: string; inventory: string } | null = null
  let parsed: { entry: SpoolEntry; report: Parsed | null } | null = null
  let refusals = 0
  let skipped = 0

  const parse = async (entry: SpoolEntry): Promise<Parsed | null> => {
    if (parsed?.entry !== entry) parsed = { entry, report: await parseEntry(entry) }
    return parsed.report
  }

  return {
    encode: async (entry) => {
      if (base === null) return null
      const report = await parse(entry)
      if (report === null) return null
      const edits = diffText(base.inventory, report.inventory)
      const isWorthIt =
        edits.length <= DIFFERENCE_LIMITS.edits && insertedLength(edits) < report.inventory.length / 2
      return isWorthIt ? encodeDifference({ ...report.head, base: base.digest, edits }) : null
    },
    acknowledged: async (entry, { isApplied, takesDifferences }) => {
      const report = takesDifferences === true && isApplied ? await parse(entry) : null
      parsed = null
      skipped = Math.max(0, skipped - 1)
      const isHeld = report !== null && skipped === 0
      if (isHeld && base !== null) refusals = 0
      base = isHeld ? { digest: entry.digest, inventory: report.inventory } : null
    },
    refused: () => {
      base = null
      refusals += 1
      skipped = Math.min(MOST_SKIPPED, 2 ** (refusals - 1))
    },
  }
}
