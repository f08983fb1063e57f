import 'server-only'
import { ServiceError } from '@/lib/server/errors/service-error'

/** PostgreSQL stores neither NUL nor half of a character; `\\p{Surrogate}` matches only halves without their other one. */
const UNSTORABLE = /\0|\p{Surrogate}/u

/** Deeper bodies are of no schema. */
const MAX_DEPTH = 32

const refuse = (field: string): never => {
  throw new ServiceError(
    'validation',
    `${field || 'The body'} has a NUL character or half of a surrogate pair: send text in complete Unicode characters.`,
    field === '' ? {} : { field },
  )
}

/** Refuses a parsed JSON value with text that can't be stored, in values and in names. */
export const checkText = (value: unknown, field = '', depth = 0): void => {
  if (typeof value === 'string') {
    if (UNSTORABLE.test(value)) refuse(field)
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (depth > MAX_DEPTH)
    throw new ServiceError('validation', `The body is nested deeper than ${MAX_DEPTH} levels.`)
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) checkText(entry, `${field}[${index}]`, depth + 1)
    return
  }
  for (const [name, entry] of Object.entries(value)) {
    if (UNSTORABLE.test(name)) refuse(field)
    checkText(entry, field === '' ? name : `${field}.${name}`, depth + 1)
  }
}
