import { expect, test } from 'vitest'
import { ServiceError } from './service-error'
import { toServiceError } from './to-service-error'

const withCode = (code: string) => Object.assign(new Error('Key (name)=(secret) already exists'), { code })

test.each([
  ['P2002', 'conflict', undefined],
  ['23505', 'conflict', undefined],
  ['23503', 'conflict', undefined],
  ['P2025', 'not_found', undefined],
  ['P2034', 'unavailable', 1],
  ['40P01', 'unavailable', 1],
  ['P1001', 'unavailable', 5],
  ['53100', 'unavailable', 30],
  ['25006', 'unavailable', 30],
  ['57P03', 'unavailable', 5],
  ['ECONNREFUSED', 'unavailable', 5],
])('the code %s becomes %s', (code, expected, retryAfterSeconds) => {
  const error = toServiceError(withCode(code))
  expect([error.code, error.retryAfterSeconds]).toEqual([expected, retryAfterSeconds])
  expect(error.message).not.toContain('secret')
})

test.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])(
  'a lost connection without a code is one: %s',
  (message) => {
    expect(toServiceError(new Error(message)).code).toBe('unavailable')
  },
)

test.each([[new Error('secret')], [withCode('XX000')], ['secret'], [null], [{ code: 7 }]])(
  'what no one foresaw is internal and keeps its detail to itself',
  (error) => {
    const mapped = toServiceError(error)
    expect([mapped.code, mapped.cause]).toEqual(['internal', error])
    expect(mapped.message).not.toContain('secret')
  },
)

test('a service error stays as it is', () => {
  const error = new ServiceError('limit', 'Too many.')
  expect(toServiceError(error)).toBe(error)
})
