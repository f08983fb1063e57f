import { AgentError } from '@/lib/server/agent-api/agent-error'

/** No host has more; each value beyond would cost the schema an issue of its own. */
const MOST_VALUES = 250_000
const DEEPEST = 16

const tooMany = () =>
  new AgentError(
    'invalid_report',
    `The report has more than ${MOST_VALUES} values, but at most that many are read. Check what the agent found on this host.`,
  )

const tooDeep = () =>
  new AgentError('invalid_report', `The report is nested more than ${DEEPEST} deep, but no report is.`)

const hasNul = (value: unknown): boolean => typeof value === 'string' && value.includes('\0')

const nulInside = (path: string) =>
  new AgentError(
    'invalid_report',
    `${path} holds a NUL character, which no text of a report may. Install the agent that this console serves.`,
    { field: path },
  )

/**
 * Whether `checkShape` takes whatever a schema takes of this JSON: a value has a byte at least, NUL is always written like this,
 * and a schema knows no depth without an end.
 */
export const isSurelyInShape = (json: string): boolean =>
  json.length <= MOST_VALUES && !json.includes('\\u0000')

/**
 * Refuses what would make the schema's check or the database stumble: too many values, too deep, or a NUL character, which
 * PostgreSQL does not store. Goes through the value without recursion.
 */
export const checkShape = (input: unknown): void => {
  let seen = 0
  let level: { path: string; value: object }[] =
    typeof input === 'object' && input !== null ? [{ path: '', value: input }] : []
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= DEEPEST) throw tooDeep()
    const next: typeof level = []
    for (const { path, value } of level) {
      for (const key of Object.keys(value)) {
        const inner = (value as Readonly<Record<string, unknown>>)[key]
        seen += 1
        if (seen > MOST_VALUES) throw tooMany()
        if (hasNul(inner) || hasNul(key)) throw nulInside(`${path}${key}`.replaceAll('\0', '\\0'))
        if (typeof inner === 'object' && inner !== null) next.push({ path: `${path}${key}.`, value: inner })
      }
    }
    level = next
  }
}
