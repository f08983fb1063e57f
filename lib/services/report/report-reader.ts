import 'server-only'
import { createHash } from 'node:crypto'
import { CONTRACT_VERSION, type Report, reportSchema } from '@/lib/schemas/agent/report'
import { checkContractVersion } from './check-contract-version'
import { type KeptInventory, readInventory } from './inventory-reader'
import { parseReport } from './parse-report'

export type ReportReader = {
  /** A checked report, or an AgentError that names the field, the value and the rule. */
  read: (hostId: number, json: Buffer) => Report
}

type Kept = KeptInventory & { digest: string }

const INVENTORY_KEY = '"inventory":'
const CLOSE = 0x7d
const headSchema = reportSchema.omit({ inventory: true })

/** Everything before the inventory as an object of its own. */
const parseHead = (json: Buffer, end: number): Omit<Report, 'inventory'> | null => {
  const text = json.toString('utf8', 0, end).replace(/,$/, '}')
  const input: unknown = JSON.parse(text)
  checkContractVersion(input, CONTRACT_VERSION)
  const head = headSchema.safeParse(input)
  return head.success ? head.data : null
}

/** A report as agents send it, read against the host's last one; null when it has another form or is not valid. */
const readCanonical = (json: Buffer, kept: Kept | undefined): { report: Report; kept: Kept } | null => {
  const key = json.indexOf(INVENTORY_KEY)
  if (key < 0 || json.at(-1) !== CLOSE) return null
  const start = key + INVENTORY_KEY.length
  const end = json.length - 1
  const head = parseHead(json, key)
  if (head === null) return null
  const digest = createHash('sha256').update(json.subarray(start, end)).digest('base64url')
  if (digest !== head.digest) return null
  if (kept?.digest === digest) return { report: { ...head, inventory: kept.inventory }, kept }
  const read = readInventory(json, { start, end, kept: kept ?? null })
  return read === null ? null : { report: { ...head, inventory: read.inventory }, kept: { ...read, digest } }
}

/** Bytes of JSON that are kept; the objects read from them take some four times as much. */
const MOST_KEPT_BYTES = 16_777_216

/**
 * Reads the reports of hosts that mostly say what they said before: only what changed is parsed and checked. The hosts that
 * reported last are kept, up to a bound; any other report is parsed as a whole.
 */
export const createReportReader = (mostKeptBytes = MOST_KEPT_BYTES): ReportReader => {
  const known = new Map<number, Kept>()
  let bytes = 0

  const keep = (hostId: number, kept: Kept): void => {
    forget(hostId)
    known.set(hostId, kept)
    bytes += kept.json.length
    for (const oldest of known.keys()) {
      if (bytes <= mostKeptBytes) return
      forget(oldest)
    }
  }

  const forget = (hostId: number): void => {
    bytes -= known.get(hostId)?.json.length ?? 0
    known.delete(hostId)
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

  return { read: (hostId, json) => tryCanonical(hostId, json) ?? parseReport(json) }
}
