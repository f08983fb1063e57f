import 'server-only'
import * as z from 'zod/v4/core'
import { type InvalidField, ServiceError } from './service-error'

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

const oneOf = (values: readonly unknown[]): string =>
  `must be ${values.length === 1 ? '' : 'one of '}${values.map(String).join(', ')}`

/** What the value may be, of each form that the field may have. */
const ruleOfUnion = ({ errors, ...issue }: z.$ZodIssueInvalidUnion): string => {
  if ('options' in issue && issue.options !== undefined) return oneOf(issue.options)
  const rules = errors.flatMap(([first]) => (first === undefined ? [] : [ruleOf(first)]))
  return [rules[0], ...rules.slice(1).map((rule) => rule.replace(/^must be /, ''))].join(' or ')
}

/** Of several forms the fault inside the one that was meant: the only one that the value is not wholly unlike. */
const faultMeant = (issue: z.$ZodIssue): z.$ZodIssue => {
  if (issue.code !== 'invalid_union') return issue
  const near = issue.errors.filter(([first]) => first !== undefined && first.path.length > 0)
  const [fault] = near[0] ?? []
  if (near.length !== 1 || fault === undefined) return issue
  return faultMeant({ ...fault, path: [...issue.path, ...fault.path] })
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
      return oneOf(issue.values)
    case 'invalid_union':
      return ruleOfUnion(issue)
    default:
      return issue.message
  }
}

/** One sentence with the field, the value and the rule. */
const describeIssue = (issue: z.$ZodIssue, input: unknown): string => {
  const field = fieldName(issue.path) || 'The input'
  const name = String(issue.path.at(-1) ?? '')
  const isSecret = SECRET_FIELD.test(name) && !name.endsWith('Id')
  const given = valueAt(input, issue.path)
  const value = isSecret && given !== undefined ? 'hidden' : shownValue(given)
  return `${field} is ${value}, but ${ruleOf(issue)}.`
}

const unknownField = (path: readonly PropertyKey[], key: string): InvalidField => {
  const where = path.length > 0 ? ` in ${fieldName(path)}` : ''
  return { field: fieldName([...path, key]), message: `${key}${where} is not a known field.` }
}

const invalidFields = (issue: z.$ZodIssue, input: unknown): InvalidField[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => unknownField(issue.path, key))
    : [{ field: fieldName(issue.path), message: describeIssue(issue, input) }]

/** More would not help anybody to correct an input. */
const MAX_FIELDS = 50

/** Parses what came from outside, or refuses it as `validation`: by its first fault, with all of them in `fields`. */
export const parseInput = <Schema extends z.$ZodType>(schema: Schema, input: unknown): z.output<Schema> => {
  const result = z.safeParse(schema, input)
  if (result.success) return result.data
  const fields = result.error.issues
    .map(faultMeant)
    .flatMap((issue) => invalidFields(issue, input))
    .slice(0, MAX_FIELDS)
  const [first] = fields
  if (first === undefined) throw new ServiceError('validation', 'The input is not valid.')
  const field = first.field === '' ? {} : { field: first.field }
  throw new ServiceError('validation', first.message, { ...field, fields })
}
