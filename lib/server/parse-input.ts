import 'server-only'
import * as z from 'zod/v4/core'
import { ServiceError } from './service-error'

const SHOWN_LENGTH = 60
const SECRET_FIELD = /token|secret|password|credential/i

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    input,
  )

const shownValue = (value: unknown): string => {
  if (value === undefined) return 'missing'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text
}

/** `hosts[0].name`; empty for the input as a whole. */
const fieldName = (path: readonly PropertyKey[]): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '')

const bound = (issue: z.$ZodIssueTooBig | z.$ZodIssueTooSmall, limit: string): string => {
  const units: Record<string, string> = {
    string: ' characters',
    array: ' entries',
    set: ' entries',
    file: ' bytes',
  }
  const unit = units[issue.origin]
  return unit ? `must have ${limit}${unit}` : `must be ${limit}`
}

const EXPECTED: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** The rule that was broken, as the end of a sentence: `must be at least 5`. */
const ruleOf = (issue: z.$ZodIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${EXPECTED[issue.expected] ?? issue.expected}`
    case 'too_small':
      return bound(issue, `at least ${issue.minimum}`)
    case 'too_big':
      return bound(issue, `at most ${issue.maximum}`)
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    default:
      return issue.message
  }
}

/** One sentence with the field, the value and the rule. */
const describeIssue = (issue: z.$ZodIssue, input: unknown): string => {
  const field = fieldName(issue.path) || 'The input'
  if (issue.code === 'unrecognized_keys') {
    const inside = issue.path.length > 0 ? ` in ${fieldName(issue.path)}` : ''
    return `${issue.keys.join(', ')}${inside} is not a known field.`
  }
  const name = String(issue.path.at(-1) ?? '')
  const isSecret = SECRET_FIELD.test(name) && !name.endsWith('Id')
  const value = isSecret ? 'hidden' : shownValue(valueAt(input, issue.path))
  return `${field} is ${value}, but ${ruleOf(issue)}.`
}

/** Parses what came from outside, or refuses it as `validation` by its first fault. */
export const parseInput = <Schema extends z.$ZodType>(schema: Schema, input: unknown): z.output<Schema> => {
  const result = z.safeParse(schema, input)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  if (!issue) throw new ServiceError('validation', 'The input is not valid.')
  const field = fieldName(issue.path)
  throw new ServiceError('validation', describeIssue(issue, input), field ? { field } : {})
}
