import 'server-only'
import { compileCheck } from '@/lib/schemas/agent/compile-check'
import {
  DIFFERENCE_LIMITS,
  type Difference,
  type DifferenceHead,
  differenceHeadSchema,
  differenceSchema,
  type Edit,
  editsSchema,
} from '@/lib/schemas/agent/difference'
import { CONTRACT_VERSION } from '@/lib/schemas/agent/report'
import { AgentError } from '@/lib/server/agent-api/agent-error'
import { parseInput } from '@/lib/server/parse-input'
import { isServiceError } from '@/lib/server/service-error'
import { checkContractVersion } from './check-contract-version'
import { checkShape } from './check-shape'
import { isOfNewerContract, leaveOutUnknown } from './newer-contract'

/** A difference, and the JSON of its edits as they are stored. */
export type ReadDifference = { head: DifferenceHead; edits: readonly Edit[]; editsJson: Buffer }

const EDITS_KEY = ',"edits":'
const CLOSE = 0x7d
const isUsualHead = compileCheck(differenceHeadSchema)
const areUsualEdits = compileCheck(editsSchema)

/**
 * A difference as agents of this revision send it, with its edits last, so that their bytes are at hand. What stands before
 * them is an object without them by itself, else another member is taken for them. Null: it is to be parsed as a whole.
 */
const parseUsual = (json: Buffer): ReadDifference | null => {
  const key = json.indexOf(EDITS_KEY)
  if (key < 0 || json.at(-1) !== CLOSE) return null
  try {
    const head: unknown = JSON.parse(`${json.toString('utf8', 0, key)}}`)
    if (!isUsualHead(head) || isOfNewerContract(head)) return null
    const editsJson = json.subarray(key + EDITS_KEY.length, -1)
    const edits: unknown = JSON.parse(editsJson.toString('utf8'))
    return areUsualEdits(edits) ? { head, edits, editsJson } : null
  } catch {
    // Whatever is wrong with it, the parse of the whole says it.
    return null
  }
}

const parseWhole = (json: Buffer): Difference => {
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

/** A difference from its JSON, or an AgentError that names the field, the value and the rule. */
export const parseDifference = (json: Buffer): ReadDifference => {
  if (json.length > DIFFERENCE_LIMITS.bytes) {
    throw new AgentError(
      'too_large_difference',
      `The difference has ${json.length} bytes, but at most ${DIFFERENCE_LIMITS.bytes} are taken. Send the full report.`,
    )
  }
  const usual = parseUsual(json)
  if (usual !== null) return usual
  const { edits, ...head } = parseWhole(json)
  return { head, edits, editsJson: Buffer.from(JSON.stringify(edits)) }
}
