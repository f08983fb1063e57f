import 'server-only'
import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { applyEdits, type Difference, editedLength } from '@/lib/schemas/agent/difference'
import { CONTRACT_VERSION, REPORT_LIMITS, reportHeadSchema } from '@/lib/schemas/agent/report'
import type { Report } from '@/lib/schemas/agent/whole-report'
import { AgentError } from '@/lib/server/agent-api/agent-error'
import { checkContractVersion } from './check-contract-version'
import { checkShape } from './check-shape'
import { type KeptInventory, readEditedInventory, readInventory } from './inventory-reader'
import { isOfNewerContract, leaveOutUnknown } from './newer-contract'
import { parseDifference } from './parse-difference'
import { parseReport } from './parse-report'
import { createReportMemory, type ReportMemory } from './report-memory'
import { createTextPool } from './text-pool'

/** A report that came as a difference: what it is a difference to, and what is stored of it. */
export type DifferenceBody = {
  base: string
  /** JSON of the edits. */
  edits: Buffer
  /** Now and then the whole again, as gzip of `{"inventory":…}`, so that the chain of differences stays short. */
  full: Buffer | null
}

export type ReportReader = {
  /** A checked report, or an AgentError that names the field, the value and the rule. */
  read: (hostId: number, json: Buffer) => Report
  /** The same of a difference. A `conflict` when this console does not hold the base. */
  readDifference: (hostId: number, json: Buffer) => { report: Report; body: DifferenceBody }
  /** What was made of the host's last report, for as long as that is kept. */
  memoryOf: (hostId: number) => ReportMemory | undefined
}

/** The inventory stands in `json` from `start` to `end`. */
type Kept = KeptInventory & {
  digest: string
  start: number
  end: number
  /** Differences read since the last whole report. */
  differences: number
  memory: ReportMemory
  /** From the pool, and back to it when the next inventory has come. */
  pooled: Buffer | null
}

const INVENTORY_KEY = '"inventory":'
const CLOSE = 0x7d

/** Differences in a row before the whole is stored again. */
const FULL_EVERY = 16
/** Gzip of a report takes 130 us at the usual level and 70 at this, for a tenth more bytes. */
const FULL_LEVEL = 1

/** Everything before the inventory as an object of its own. */
const parseHead = (json: Buffer, end: number): Omit<Report, 'inventory'> | null => {
  const text = json.toString('utf8', 0, end).replace(/,$/, '}')
  const input: unknown = JSON.parse(text)
  checkContractVersion(input, CONTRACT_VERSION)
  if (isOfNewerContract(input)) {
    checkShape(input)
    leaveOutUnknown(reportHeadSchema, input)
  }
  const head = reportHeadSchema.safeParse(input)
  return head.success ? head.data : null
}

const digestOf = (bytes: Buffer): string => hash('sha256', bytes, 'base64url')

/** A report as agents send it, read against the host's last one; null when it has another form or is not valid. */
const readCanonical = (json: Buffer, last: Kept | undefined): { report: Report; kept: Kept } | null => {
  const key = json.indexOf(INVENTORY_KEY)
  if (key < 0 || json.at(-1) !== CLOSE) return null
  const start = key + INVENTORY_KEY.length
  const end = json.length - 1
  const head = parseHead(json, key)
  if (head === null) return null
  const digest = digestOf(json.subarray(start, end))
  if (digest !== head.digest) return null
  const isNewer = isOfNewerContract(head)
  const kept = last?.isNewer === isNewer ? last : null
  if (kept?.digest === digest) return { report: { ...head, inventory: kept.inventory }, kept }
  const read = readInventory(json, { start, end, kept, isNewer })
  if (read === null) return null
  const memory = last?.memory ?? createReportMemory()
  return {
    report: { ...head, inventory: read.inventory },
    kept: { ...read, digest, start, end, differences: 0, pooled: null, memory },
  }
}

const baseUnknown = () =>
  new AgentError('conflict', 'The console does not hold the base of this difference. Send the full report.', {
    field: 'base',
  })

const badEdits = () =>
  new AgentError(
    'invalid_difference',
    'edits must be in rising order within the base, none touching what another takes away. Send the full report.',
    { field: 'edits' },
  )

const tooLong = (length: number) =>
  new AgentError(
    'too_large_uncompressed',
    `The inventory has ${length} bytes with the edits made, but at most ${REPORT_LIMITS.uncompressedBytes} are taken. Check what the agent found on this host.`,
  )

const otherDigest = (told: string, actual: string) =>
  new AgentError(
    'digest_mismatch',
    `digest is ${told}, but the base with the edits made has ${actual}. Send the full report.`,
    { field: 'digest' },
  )

/** Says what is wrong with an inventory that could not be read part by part, as of a whole report. */
const parseWhole = ({ base: _base, edits: _edits, ...head }: Difference, text: Buffer): Report =>
  parseReport(
    Buffer.concat([
      Buffer.from(`${JSON.stringify(head).slice(0, -1)},${INVENTORY_KEY}`),
      text,
      Buffer.from('}'),
    ]),
  )

const fullOf = ({ json, start, end }: Kept): Buffer =>
  gzipSync(Buffer.concat([Buffer.from(`{${INVENTORY_KEY}`), json.subarray(start, end), Buffer.from('}')]), {
    level: FULL_LEVEL,
  })

/** Bytes of JSON that are kept; the objects read from them take some four times as much. */
const MOST_KEPT_BYTES = 67_108_864

/**
 * Reads the reports of hosts that mostly say what they said before: only what changed is parsed and checked. The hosts that
 * reported last are kept, up to a bound; any other report is parsed as a whole.
 */
export const createReportReader = (mostKeptBytes = MOST_KEPT_BYTES): ReportReader => {
  const known = new Map<number, Kept>()
  const pool = createTextPool()
  let bytes = 0

  const keep = (hostId: number, kept: Kept): void => {
    forget(hostId, kept)
    known.set(hostId, kept)
    bytes += kept.json.length
    for (const oldest of known.keys()) {
      if (bytes <= mostKeptBytes) return
      forget(oldest)
    }
  }

  const forget = (hostId: number, next?: Kept): void => {
    const kept = known.get(hostId)
    if (kept === undefined) return
    bytes -= kept.json.length
    known.delete(hostId)
    if (kept.pooled !== null && kept.pooled !== next?.pooled) pool.give(kept.pooled)
  }

  const tryCanonical = (hostId: number, json: Buffer): Report | null => {
    try {
      const read = readCanonical(json, known.get(hostId))
      if (read === null) return null
      keep(hostId, read.kept)
      return read.report
    } catch {
      // Whatever is wrong with it, the parse of the whole says it.
      return null
    }
  }

  /** The inventory that the edits make of the kept one. */
  const edit = (base: Kept, difference: Difference): Kept => {
    const baseText = base.json.subarray(base.start, base.end)
    const length = editedLength(baseText.length, difference.edits)
    if (length === null) throw badEdits()
    if (length > REPORT_LIMITS.uncompressedBytes) throw tooLong(length)
    const pooled = pool.take(length)
    try {
      applyEdits(baseText, difference.edits, pooled)
      const json = pooled.subarray(0, length)
      const digest = digestOf(json)
      if (digest !== difference.digest) throw otherDigest(difference.digest, digest)
      const read =
        readEditedInventory(json, { kept: base, start: base.start, edits: difference.edits }) ??
        readInventory(json, { start: 0, end: length, kept: base, isNewer: base.isNewer })
      if (read === null) {
        parseWhole(difference, json)
        throw baseUnknown()
      }
      const differences = base.differences + 1
      return { ...read, digest, start: 0, end: length, differences, pooled, memory: base.memory }
    } catch (error) {
      pool.give(pooled)
      throw error
    }
  }

  return {
    read: (hostId, json) => tryCanonical(hostId, json) ?? parseReport(json),
    memoryOf: (hostId) => known.get(hostId)?.memory,
    readDifference: (hostId, json) => {
      const difference = parseDifference(json)
      const { base, edits, ...head } = difference
      const last = known.get(hostId)
      if (last === undefined || (last.digest !== base && last.digest !== head.digest)) throw baseUnknown()
      if (last.isNewer !== isOfNewerContract(head)) throw baseUnknown()
      // The same digest: it was read before and its commit failed, or its answer was lost.
      const kept = last.digest === head.digest ? last : edit(last, difference)
      keep(hostId, kept)
      const isFull = kept.differences > 0 && kept.differences % FULL_EVERY === 0
      const body = { base, edits: Buffer.from(JSON.stringify(edits)), full: isFull ? fullOf(kept) : null }
      return { report: { ...head, inventory: kept.inventory }, body }
    },
  }
}
