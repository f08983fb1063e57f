import { expect, test } from 'vitest'
import * as z from 'zod'
import { planChangeSchema } from '@/lib/schemas/api/change-inputs'
import { parseInput } from './parse-input'

const messageOf = (schema: z.ZodType, input: unknown): string => {
  try {
    parseInput(schema, input)
    return 'taken'
  } catch (error) {
    return (error as Error).message
  }
}

const hosts = z.object({ hosts: z.union([z.array(z.object({ name: z.string().min(2) })), z.literal('all')]) })

test.each([
  [{}, 'hosts is missing, but must be a list or all.'],
  [{ hosts: 'none' }, 'hosts is "none", but must be a list or all.'],
  [{ hosts: [{ name: 'a' }] }, 'hosts[0].name is "a", but must have at least 2 characters.'],
  [{ hosts: [{ name: 'a1' }, {}] }, 'hosts[1].name is missing, but must be text.'],
  [{ hosts: 'all' }, 'taken'],
])('of several forms a field may have, %j gets an answer with what it may be', (input, message) => {
  expect(messageOf(hosts, input)).toBe(message)
})

test.each([
  [{ cloud: 'paris', kind: 'orphans' }, /^gpus is missing, but must be a list or an object or all\.$/],
  [{ cloud: 'paris', kind: 'orphan' }, /^kind is "orphan", but must be one of .*orphans.*\.$/],
  [{ cloud: 'paris', kind: 'orphans', gpus: 'all', more: 1 }, /^more is not a known field\.$/],
])('a plan of %j is refused in a sentence', (input, message) => {
  expect(messageOf(planChangeSchema, input)).toMatch(message)
})

test('the field that is named is the one with the fault', () => {
  expect(() => parseInput(hosts, { hosts: [{ name: 'a' }] })).toThrow(
    expect.objectContaining({ field: 'hosts[0].name' }),
  )
})

test('secrets are not repeated', () => {
  const input = { password: 'hunter2', apiToken: 7 }
  const schema = z.object({ password: z.string().min(12), apiToken: z.string() })
  expect(messageOf(schema, input)).toBe('password is hidden, but must have at least 12 characters.')
  expect(messageOf(schema.omit({ password: true }), input)).toBe('apiToken is hidden, but must be text.')
  expect(messageOf(schema.omit({ password: true }), {})).toBe('apiToken is missing, but must be text.')
})
