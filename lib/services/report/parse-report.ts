import 'server-only'
import { inventoryDigest } from '@/lib/schemas/agent/digest'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { CONTRACT_VERSION } from '@/lib/schemas/agent/report'
import { type Report, reportSchema } from '@/lib/schemas/agent/whole-report'
import { AgentError } from '@/lib/server/agent-api/agent-error'
import { parseInput } from '@/lib/server/parse-input'
import { isServiceError } from '@/lib/server/service-error'
import { checkContractVersion } from './check-contract-version'
import { checkShape } from './check-shape'
import { isOfNewerContract, leaveOutUnknown } from './newer-contract'

const parseJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.slice(0, 120) : 'it cannot be read'
    throw new AgentError('broken_json', `The report is not JSON: ${reason}.`, { cause })
  }
}

const validate = (input: unknown): Report => {
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

const checkDigest = (report: Report, actual: string): void => {
  if (actual === report.digest) return
  throw new AgentError(
    'digest_mismatch',
    `digest is ${report.digest}, but the inventory's is ${actual}. Install the agent that this console serves.`,
    { field: 'digest' },
  )
}

/** Of the inventory as it came: what this console does not know is part of it. */
const digestAsSent = (input: unknown): string | null =>
  typeof input === 'object' && input !== null && 'inventory' in input
    ? inventoryDigest(input.inventory as Inventory)
    : null

/**
 * A report from the whole of its JSON, in whatever order, or an AgentError that names the field, the value and the rule. Of a
 * report by a newer contract, what this console does not know is left out.
 */
export const parseReport = (bytes: Buffer): Report => {
  const input = parseJson(bytes)
  checkContractVersion(input, CONTRACT_VERSION)
  checkShape(input)
  if (!isOfNewerContract(input)) {
    const report = validate(input)
    checkDigest(report, inventoryDigest(report.inventory))
    return report
  }
  const digest = digestAsSent(input)
  const report = validate(leaveOutUnknown(reportSchema, input))
  checkDigest(report, digest ?? inventoryDigest(report.inventory))
  return report
}
