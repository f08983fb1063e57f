import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '@/lib/server/database/database'
import { createTestDatabase } from '@/lib/server/testing/test-database'
import { type Cell, pgArray, pgColumn, pgColumns, pgRowColumns } from './pg-array'

let database: Database
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const text = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', 'ä', '"', '\\', '{', '}', ',', ' ', '\n', '\t', "'"),
    maxLength: 6,
  }),
  fc.constantFrom('', 'NULL', 'null', 'Null', 'nulls', '0000:3b:00.0'),
)

test('PostgreSQL reads the very texts from an array, and those of a list within one', async () => {
  const scalars = fc.array(fc.option(text), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(
      scalars,
      fc.array(fc.array(text, { maxLength: 4 }), { maxLength: 4 }),
      async (values, lists) => {
        const [row] = await database.query(
          'SELECT $1::text[] AS texts, (SELECT json_agg(l::text[]) FROM unnest($2::text[]) AS u (l)) AS lists',
          [pgArray(values), pgColumn(lists)],
        )
        expect(row).toEqual({ texts: values, lists: lists.length === 0 ? null : lists })
      },
    ),
    { numRuns: 200 },
  )
})

test('numbers and booleans are unchanged, and missing values are null', () => {
  expect(pgArray([])).toBe('{}')
  expect(pgArray([1, 1, -0.5, null, null, true, false])).toBe('{1,1,-0.5,NULL,NULL,true,false}')
})

test('columns of rows and of items are those of their cells', () => {
  const rows: Cell[][] = [
    ['a', 1, ['x', 'y']],
    ['a', 1],
    ['b', null, []],
  ]
  const columns = ['{a,a,b}', '{1,1,NULL}', '{"{x,y}",NULL,"{}"}']
  expect(pgRowColumns(rows, 3)).toEqual(columns)
  expect(
    pgColumns(
      rows,
      [0, 1, 2].map(
        (index) =>
          (row: readonly Cell[]): Cell =>
            row[index] ?? null,
      ),
    ),
  ).toEqual(columns)
})
