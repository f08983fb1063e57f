import 'server-only'
import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { applyEdits, type DifferenceHead, editedLength } from '@/lib/schemas/agent/difference'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { CONTRACT_VERSION, REPORT_LIMITS, reportHeadSchema } from '@/lib/schemas/agent/report'
import type { Report } from '@/lib/schemas/agent/whole-report'
import { AgentError } from '@/lib/server/agent-api/agent-error'
import { checkContractVersion } from './check-contract-version'
import { checkShape } from './check-shape'
import { editInventory, type KeptInventory, readInventory } from './inventory-reader'
import { isOfNewerContract, leaveOutUnknown } from './newer-contract'
import { parseDifference, type ReadDifference } from './parse-difference'
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

/** What is stored of a host since it was stored whole. */
type Chain = {
  differences: number
  bytes: number
  /** It has become too long with the last one: the whole is stored again. */
  isOver: boolean
}

/** A host's last report. Each difference changes it in place. */
type Kept = {
  inventory: KeptInventory
  digest: string
  chain: Chain
  memory: ReportMemory
  /** From the pool, and back to it when the next inventory has come. */
  pooled: Buffer | null
  /** Bytes of its JSON, as they are counted for the bound. */
  bytes: number
}

const INVENTORY_KEY = '"inventory":'
const CLOSE = 0x7d

/** Differences in a row, and bytes of them, after which the whole is stored again. */
const LONGEST_CHAIN = { differences: 64, bytes: 65_536 }
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
const readCanonical = (
  json: Buffer,
  { hostId, last }: { hostId: number; last: Kept | undefined },
): { report: Report; kept: Kept } | null => {
  const key = json.indexOf(INVENTORY_KEY)
  if (key < 0 || json.at(-1) !== CLOSE) return null
  const head = parseHead(json, key)
  if (head === null) return null
  const text = json.subarray(key + INVENTORY_KEY.length, -1)
  const digest = digestOf(text)
  if (digest !== head.digest) return null
  const isNewer = isOfNewerContract(head)
  const same = last?.inventory.isNewer === isNewer ? last : null
  if (same?.digest === digest) return { report: { ...head, inventory: same.inventory.inventory }, kept: same }
  const inventory = readInventory(text, { kept: same?.inventory ?? null, isNewer })
  if (inventory === null) return null
  const memory = last?.memory ?? createReportMemory()
  // Hosts whose first reports come together are not to be stored whole together ever after.
  const chain = { differences: hostId % LONGEST_CHAIN.differences, bytes: 0, isOver: false }
  return {
    report: { ...head, inventory: inventory.inventory },
    kept: { inventory, digest, chain, memory, pooled: null, bytes: 0 },
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
const parseWhole = ({ base: _base, ...head }: DifferenceHead, text: Buffer): Report =>
  parseReport(
    Buffer.concat([
      Buffer.from(`${JSON.stringify(head).slice(0, -1)},${INVENTORY_KEY}`),
      text,
      Buffer.from('}'),
    ]),
  )

/** Member by member: to take all but one of an object that JSON.parse made costs 2 us. */
const reportOf = (head: DifferenceHead, inventory: Inventory): Report => {
  const { contractVersion, contractRevision, agentVersion, position, takenAt, digest, droppedReports } = head
  const report = { contractVersion, agentVersion, position, takenAt, digest, droppedReports, inventory }
  return contractRevision === undefined ? report : { ...report, contractRevision }
}

const fullOf = (inventory: Buffer): Buffer =>
  gzipSync(Buffer.concat([Buffer.from(`{${INVENTORY_KEY}`), inventory, Buffer.from('}')]), {
    level: FULL_LEVEL,
  })

const lengthen = (chain: Chain, bytes: number): void => {
  chain.differences += 1
  chain.bytes += bytes
  chain.isOver = chain.differences >= LONGEST_CHAIN.differences || chain.bytes >= LONGEST_CHAIN.bytes
  if (!chain.isOver) return
  chain.differences = 0
  chain.bytes = 0
}

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

  const forget = (hostId: number, { bytes: counted, pooled }: Kept): void => {
    bytes -= counted
    known.delete(hostId)
    if (pooled !== null) pool.give(pooled)
  }

  const forgetOldest = (): void => {
    for (const [hostId, kept] of known) {
      if (bytes <= mostKeptBytes) return
      forget(hostId, kept)
    }
  }

  const keep = (hostId: number, kept: Kept): void => {
    const last = known.get(hostId)
    if (last !== undefined && last !== kept) forget(hostId, last)
    // Behind all others.
    known.delete(hostId)
    known.set(hostId, kept)
    bytes += kept.inventory.json.length - kept.bytes
    kept.bytes = kept.inventory.json.length
    if (bytes > mostKeptBytes) forgetOldest()
  }

  const tryCanonical = (hostId: number, json: Buffer): Report | null => {
    try {
      const read = readCanonical(json, { hostId, last: known.get(hostId) })
      if (read === null) return null
      keep(hostId, read.kept)
      return read.report
    } catch {
      // Whatever is wrong with it, the parse of the whole says it.
      return null
    }
  }

  /** Makes the edits of the difference in the kept inventory, which stays as it was if they are refused. */
  const edit = (kept: Kept, { head, edits, editsJson }: ReadDifference): void => {
    const { inventory } = kept
    const length = editedLength(inventory.json.length, edits)
    if (length === null) throw badEdits()
    if (length > REPORT_LIMITS.uncompressedBytes) throw tooLong(length)
    const pooled = pool.take(length)
    try {
      applyEdits(inventory.json, edits, pooled)
      const json = pooled.subarray(0, length)
      const digest = digestOf(json)
      if (digest !== head.digest) throw otherDigest(head.digest, digest)
      if (!editInventory(inventory, { json, edits })) {
        const read = readInventory(json, { kept: inventory, isNewer: inventory.isNewer })
        if (read === null) {
          parseWhole(head, json)
          throw baseUnknown()
        }
        kept.inventory = read
      }
    } catch (error) {
      pool.give(pooled)
      throw error
    }
    if (kept.pooled !== null) pool.give(kept.pooled)
    kept.pooled = pooled
    kept.digest = head.digest
    lengthen(kept.chain, editsJson.length)
  }

  return {
    read: (hostId, json) => tryCanonical(hostId, json) ?? parseReport(json),
    memoryOf: (hostId) => known.get(hostId)?.memory,
    readDifference: (hostId, json) => {
      const read = parseDifference(json)
      const { head, editsJson } = read
      const { base } = head
      const kept = known.get(hostId)
      if (kept === undefined || (kept.digest !== base && kept.digest !== head.digest)) throw baseUnknown()
      if (kept.inventory.isNewer !== isOfNewerContract(head)) throw baseUnknown()
      // The same digest: it was read before and its commit failed, or its answer was lost.
      if (kept.digest !== head.digest) edit(kept, read)
      keep(hostId, kept)
      const { inventory, json: text } = kept.inventory
      const full = kept.chain.isOver ? fullOf(text) : null
      return { report: reportOf(head, inventory), body: { base, edits: editsJson, full } }
    },
  }
}
