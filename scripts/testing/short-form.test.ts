import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ALIKE_ON_POSTGRES, BESIDE_POSTGRES, ON_PGLITE_TOO } from './short-form'

const ROOT = path.resolve(import.meta.dirname, '../..')

test('every file that the short form names is there', () => {
  expect(BESIDE_POSTGRES.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([])
})

test('none is named twice, so that what runs on one database alone is not also said to run on both', () => {
  expect(new Set(BESIDE_POSTGRES).size).toBe(ALIKE_ON_POSTGRES.length + ON_PGLITE_TOO.length)
})
