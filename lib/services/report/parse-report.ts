import 'server-only'
import { hash } from 'node:crypto'
import { compileCheck } from '@/lib/schemas/agent/compile-check'
import { inventoryDigest } from '@/lib/schemas/agent/digest'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { CONTRACT_VERSION } from '@/lib/schemas/agent/report'
import { type Report, reportSchema } from '@/lib/schemas/agent/whole-report'
import { AgentError } from '@/lib/server/errors/agent-error'
import { parseInput } from '@/lib/server/errors/parse-input'
import { isServiceError } from '@/lib/server/errors/service-error'
import {
  checkContractVersion,
  checkShape,
  isOfNewerContract,
  isSurelyInShape,
  leaveOutUnknown,
} from './read-message'

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.slice(0, 120) : 'it cannot be read'
    throw new AgentError('broken_json', `The report is not JSON: ${reason}.`, { cause })
  }
}

/** A quarter of the time of the schema, which decides about everything else. */
const isUsual = compileCheck(reportSchema)

const validate = (input: unknown): Report => {
  if (isUsual(input)) return input
  try {
    return parseInput(reportSchema, input)
  } catch (error) {
    if (!isServiceError(error)) throw error
    throw new AgentError(
      'invalid_report',
      error.message,
      error.field === undefined ? {} : { field: error.field },
    )
  }
}

const INVENTORY_KEY = '"inventory":'

/**
 * Digest of the bytes of the inventory where it is the last member, as agents send it; null elsewhere. Agents send the canonical
 * form, so these bytes have the digest of the inventory and the canonical form need not be built again.
 */
const digestOfBytes = (json: Buffer): string | null => {
  const key = json.indexOf(INVENTORY_KEY)
  return key < 0 ? null : hash('sha256', json.subarray(key + INVENTORY_KEY.length, -1), 'base64url')
}

/** Digest of the inventory as it was sent: members that this console does not know are part of it. */
const digestAsSent = (input: unknown): string | null =>
  typeof input === 'object' && input !== null && 'inventory' in input
    ? inventoryDigest(input.inventory as Inventory)
    : null

const digestMismatch = (report: Report, actual: string | null): AgentError =>
  new AgentError(
    'digest_mismatch',
    `digest is ${report.digest}, but the inventory's is ${actual}. Install the agent that this console serves.`,
    { field: 'digest' },
  )

/**
 * A report from its JSON, with its members in any order, or an AgentError that names the field, the value and the rule. Members
 * that this console does not know are left out of a report by a newer contract, and refused in any other.
 */
export const parseReport = (json: Buffer): Report => {
  const text = json.toString('utf8')
  const input = parseJson(text)
  checkContractVersion(input, CONTRACT_VERSION)
  const isNewer = isOfNewerContract(input)
  if (isNewer || !isSurelyInShape(text)) checkShape(input)
  const sentDigest = digestOfBytes(json)
  // Before members are left out.
  const wholeDigest = isNewer ? digestAsSent(input) : null
  const report = validate(isNewer ? leaveOutUnknown(reportSchema, input) : input)
  if (sentDigest === report.digest) return report
  const digest = wholeDigest ?? inventoryDigest(report.inventory)
  if (digest !== report.digest) throw digestMismatch(report, digest)
  return report
}
