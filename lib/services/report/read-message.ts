import 'server-only'
import type * as z from 'zod/mini'
import { CONTRACT_REVISION, contractRevisionSchema } from '@/lib/schemas/agent/revision'
import { AgentError } from '@/lib/server/errors/agent-error'

/** Refuses a message of another contract version and names the version that this console supports. */
export const checkContractVersion = (input: unknown, supported: number): void => {
  const version =
    typeof input === 'object' && input !== null && 'contractVersion' in input
      ? input.contractVersion
      : undefined
  if (version === supported) return
  const received =
    typeof version === 'number' || typeof version === 'string' ? String(version).slice(0, 20) : 'missing'
  throw new AgentError(
    'unknown_contract_version',
    `contractVersion is ${received}, but this console supports version ${supported}. Install the agent that this console serves.`,
    { field: 'contractVersion' },
  )
}

/** No host has more; each further value would cost the schema a separate issue. */
const MAX_VALUES = 250_000
const MAX_DEPTH = 16

const hasNul = (value: unknown): boolean => typeof value === 'string' && value.includes('\0')

const tooMany = () =>
  new AgentError(
    'invalid_report',
    `The report has more than ${MAX_VALUES} values, but at most that many are read. Check what the agent found on this host.`,
  )

const tooDeep = () =>
  new AgentError('invalid_report', `The report is nested more than ${MAX_DEPTH} deep, but no report is.`)

const nulInside = (path: string) =>
  new AgentError(
    'invalid_report',
    `${path} holds a NUL character, which no text of a report may. Install the agent that this console serves.`,
    { field: path },
  )

/**
 * Whether `checkShape` accepts every value of this JSON that a schema accepts: a value takes at least one byte, NUL is always
 * written as an escape, and a schema limits the depth.
 */
export const isSurelyInShape = (json: string): boolean =>
  json.length <= MAX_VALUES && !json.includes('\\u0000')

/**
 * Refuses what would make the schema or the database fail: too many values, too deep, or a NUL character, which PostgreSQL does
 * not store. Goes through the value without recursion.
 */
export const checkShape = (input: unknown): void => {
  let seen = 0
  let level: { path: string; value: object }[] =
    typeof input === 'object' && input !== null ? [{ path: '', value: input }] : []
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= MAX_DEPTH) throw tooDeep()
    const next: typeof level = []
    for (const { path, value } of level) {
      for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
        seen += 1
        if (seen > MAX_VALUES) throw tooMany()
        if (hasNul(inner) || hasNul(key)) throw nulInside(`${path}${key}`.replaceAll('\0', '\\0'))
        if (typeof inner === 'object' && inner !== null) next.push({ path: `${path}${key}.`, value: inner })
      }
    }
    level = next
  }
}

/** Whether a message was written by a newer revision of the contract, which may have members that this console does not know. */
export const isOfNewerContract = (input: unknown): boolean => {
  if (typeof input !== 'object' || input === null || !('contractRevision' in input)) return false
  return (contractRevisionSchema.safeParse(input.contractRevision).data ?? 1) > CONTRACT_REVISION
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? inner[key as keyof typeof inner]
        : undefined,
    value,
  )

/**
 * Removes the members that the schema does not know from a value that JSON.parse created, and returns the value. It does not look
 * into what it removes, and leaves every other fault in place.
 */
export const leaveOutUnknown = (schema: z.ZodMiniType, input: unknown): unknown => {
  const parsed = schema.safeParse(input)
  if (parsed.success) return input
  for (const issue of parsed.error.issues) {
    if (issue.code !== 'unrecognized_keys') continue
    const holder = valueAt(input, issue.path)
    if (typeof holder !== 'object' || holder === null) continue
    for (const key of issue.keys) Reflect.deleteProperty(holder, key)
  }
  return input
}

/** Parses without the members that the schema does not know. Throws for every other fault. */
export const parseKnown = <Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
): z.output<Schema> => {
  const parsed = schema.safeParse(input)
  return parsed.success ? parsed.data : schema.parse(leaveOutUnknown(schema, input))
}
