import 'server-only'
import { DIFFERENCE_LIMITS, type Difference, differenceSchema } from '@/lib/schemas/agent/difference'
import { CONTRACT_VERSION } from '@/lib/schemas/agent/report'
import { AgentError } from '@/lib/server/agent-api/agent-error'
import { parseInput } from '@/lib/server/parse-input'
import { isServiceError } from '@/lib/server/service-error'
import { checkContractVersion } from './check-contract-version'
import { checkShape } from './check-shape'
import { isOfNewerContract, leaveOutUnknown } from './newer-contract'

/** A difference from its JSON, or an AgentError that names the field, the value and the rule. */
export const parseDifference = (json: Buffer): Difference => {
  if (json.length > DIFFERENCE_LIMITS.bytes) {
    throw new AgentError(
      'too_large_difference',
      `The difference has ${json.length} bytes, but at most ${DIFFERENCE_LIMITS.bytes} are taken. Send the full report.`,
    )
  }
  let input: unknown
  try {
    input = JSON.parse(json.toString('utf8'))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.slice(0, 120) : 'it cannot be read'
    throw new AgentError('broken_json', `The difference is not JSON: ${reason}.`, { cause })
  }
  checkContractVersion(input, CONTRACT_VERSION)
  if (isOfNewerContract(input)) {
    checkShape(input)
    leaveOutUnknown(differenceSchema, input)
  }
  const parsed = differenceSchema.safeParse(input)
  if (parsed.success) return parsed.data
  try {
    return parseInput(differenceSchema, input)
  } catch (error) {
    if (!isServiceError(error)) throw error
    const field = error.field === undefined ? {} : { field: error.field }
    throw new AgentError('invalid_difference', error.message, field)
  }
}
