import * as z from 'zod/mini'
import { digestSchema } from './primitives'
import { REPORT_LIMITS, reportHeadSchema } from './report'

/** Content type of a report that comes as a difference, to `POST /api/agent/v1/reports`. */
export const DIFFERENCE_TYPE = 'application/vnd.sliceboard.difference+json'

/** Limits of one difference beside those of a report. */
export const DIFFERENCE_LIMITS = { edits: 256, bytes: 262_144 } as const

const offset = z.int().check(z.gte(0), z.lte(REPORT_LIMITS.uncompressedBytes))

/**
 * [where in the base, how many bytes of it go, what comes instead]: bytes of the base's canonical JSON in UTF-8, in rising
 * order, none touching what another takes away.
 */
export const editsSchema = z
  .array(z.tuple([offset, offset, z.string()]))
  .check(z.maxLength(DIFFERENCE_LIMITS.edits))

/** A difference without its edits, which stand last as agents send it. */
export const differenceHeadSchema = z.extend(reportHeadSchema, { base: digestSchema })

/**
 * A report whose inventory is told as a difference: the canonical JSON of the base with the edits made has the digest of
 * the report. `base` is the digest of the last inventory that the console acknowledged. A way to send, nothing else:
 * position, digest and all that follows are those of the whole report.
 */
export const differenceSchema = z.extend(differenceHeadSchema, { edits: editsSchema })

export type Edit = z.infer<typeof editsSchema>[number]
export type DifferenceHead = z.infer<typeof differenceHeadSchema>
export type Difference = z.infer<typeof differenceSchema>

/** Bytes of the base with the edits made; null when they do not fit the base. */
export const editedLength = (baseLength: number, edits: readonly Edit[]): number | null => {
  let length = baseLength
  let end = 0
  for (const [at, removed, inserted] of edits) {
    if (at < end || at + removed > baseLength) return null
    end = at + removed
    length += Buffer.byteLength(inserted) - removed
  }
  return length
}

/** Writes the base with the edits made to the start of `target`, which has room for `editedLength` bytes. */
export const applyEdits = (base: Buffer, edits: readonly Edit[], target: Buffer): void => {
  let from = 0
  let to = 0
  for (const [at, removed, inserted] of edits) {
    to += base.copy(target, to, from, at)
    to += target.write(inserted, to)
    from = at + removed
  }
  base.copy(target, to, from)
}
