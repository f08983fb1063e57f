import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import * as z from 'zod/mini'
import { encodeReportJson } from '@/lib/schemas/agent/digest'
import { digestSchema } from '@/lib/schemas/agent/primitives'
import { type Position, positionSchema, REPORT_LIMITS } from '@/lib/schemas/agent/report'
import type { Report } from '@/lib/schemas/agent/whole-report'

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** What the agent must know of a stored report; the console checks the rest. */
const storedSchema = z.looseObject({ position: positionSchema, digest: digestSchema })

export type SpoolEntry = {
  position: Position
  digest: string
  body: Buffer
  /** How long before its scan the host had been scanned without a gap; null: no longer known. */
  watchedMs: number | null
}

export class ReportTooLargeError extends Error {}

/** The file and body of a report: gzip of its JSON. Throws ReportTooLargeError beyond the contract's limits. */
export const encodeReport = async (report: Report, watchedMs: number | null): Promise<SpoolEntry> => {
  const json = Buffer.from(encodeReportJson(report))
  if (json.length > REPORT_LIMITS.uncompressedBytes)
    throw tooLarge(json.length, REPORT_LIMITS.uncompressedBytes)
  const body = noteWatched(await compress(json), watchedMs)
  if (body.length > REPORT_LIMITS.compressedBytes) throw tooLarge(body.length, REPORT_LIMITS.compressedBytes)
  return { position: report.position, digest: report.digest, body, watchedMs }
}

/** The same report at another place; used when the boot counter was lost and the place is taken. */
export const moveReport = async (
  { body, watchedMs }: SpoolEntry,
  position: Position,
): Promise<SpoolEntry> => {
  const stored = storedSchema.parse(JSON.parse((await inflate(body)).toString('utf8')))
  const moved = noteWatched(await compress(JSON.stringify({ ...stored, position })), watchedMs)
  return { position, digest: stored.digest, body: moved, watchedMs }
}

/** Reads what `encodeReport` made. Throws when it is torn, damaged or stored under another report's name. */
export const decodeReport = async (body: Buffer, position: Position): Promise<SpoolEntry> => {
  const stored = storedSchema.parse(JSON.parse((await inflate(body)).toString('utf8')))
  if (entryName(stored.position) !== entryName(position)) throw new Error('the file holds another report')
  return { position, digest: stored.digest, body, watchedMs: notedWatched(body) }
}

// The report's form is fixed, so additional values are in the gzip header's comment (RFC 1952, 2.3), which every
// reader skips: an agent or console of an earlier version too.
const GZIP_HEADER_BYTES = 10
const FLAGS_OFFSET = 3
const HAS_COMMENT = 0x10

const noteWatched = (body: Buffer, watchedMs: number | null): Buffer => {
  if (watchedMs === null) return body
  const header = Buffer.from(body.subarray(0, GZIP_HEADER_BYTES))
  header[FLAGS_OFFSET] = HAS_COMMENT
  return Buffer.concat([header, Buffer.from(`watched ${watchedMs}\0`), body.subarray(GZIP_HEADER_BYTES)])
}

const notedWatched = (body: Buffer): number | null => {
  if (body[FLAGS_OFFSET] !== HAS_COMMENT) return null
  const comment = body.toString('latin1', GZIP_HEADER_BYTES, body.indexOf(0, GZIP_HEADER_BYTES))
  const match = /^watched ([0-9]{1,12})$/.exec(comment)
  return match === null ? null : Number(match[1])
}

const inflate = (body: Buffer) => decompress(body, { maxOutputLength: REPORT_LIMITS.uncompressedBytes })

const tooLarge = (bytes: number, limit: number) =>
  new ReportTooLargeError(`the report has ${bytes} bytes and the console takes ${limit}`)

const digits = (value: number) => String(value).padStart(10, '0')

/** File name whose alphabetical order is the order of positions. */
export const entryName = ({ boot, sequence }: Position): string =>
  `${digits(boot)}-${digits(sequence)}.json.gz`

/** The position in a file name; null for any other file. */
export const parseEntryName = (name: string): Position | null => {
  const match = /^([0-9]{10})-([0-9]{10})\.json\.gz$/.exec(name)
  if (match === null) return null
  const parsed = positionSchema.safeParse({ boot: Number(match[1]), sequence: Number(match[2]) })
  return parsed.success ? parsed.data : null
}
