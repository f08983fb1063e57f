import { expect, test } from 'vitest'
import type { Database } from './database'
import { keepByDatabase } from './keep-by-database'

/** Only which one it is matters. */
const newDatabase = () => ({}) as Database

test('what is made stays for its database and key, for every copy of the module that knows its name', () => {
  const [one, other] = [keepByDatabase<object>('test-things'), keepByDatabase<object>('test-things')]
  const [database, another] = [newDatabase(), newDatabase()]
  const made = one({ database, key: 'paris' }, () => ({}))
  expect(other({ database, key: 'paris' }, () => ({}))).toBe(made)
  expect(one({ database, key: 'rome' }, () => ({}))).not.toBe(made)
  expect(one({ database: another, key: 'paris' }, () => ({}))).not.toBe(made)
  expect(keepByDatabase<object>('test-others')({ database, key: 'paris' }, () => ({}))).not.toBe(made)
})
