import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ALIKE_ON_POSTGRES, ON_PGLITE_TOO, WITH_POSTGRES } from './short-form'

const ROOT = path.resolve(import.meta.dirname, '../..')

test('every file that the short form names is there', () => {
  expect(WITH_POSTGRES.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([])
})

test('none is named twice, so that what runs on one database alone is not also listed for both', () => {
  expect(new Set(WITH_POSTGRES).size).toBe(ALIKE_ON_POSTGRES.length + ON_PGLITE_TOO.length)
})
