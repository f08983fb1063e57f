import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { gpuColumns } from '@/lib/api/testing/gpu-columns'
import { gpuColumnsSchema } from './gpu-columns'

const withColumn = (name: 'hostIndex' | 'capacity', column: unknown) => {
  const gpus = gpuColumns([1, 2, 3])
  return { ...gpus, columns: { ...gpus.columns, [name]: column } }
}
const accepts = (value: unknown): boolean => gpuColumnsSchema.safeParse(value).success

const anyValue = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -2, max: 40 }) },
  fc.constantFrom(null, undefined, '1', 1.5, Number.NaN, Number.POSITIVE_INFINITY, true, {}),
)
const anyColumn = fc.oneof(
  fc.array(anyValue, { minLength: 3, maxLength: 3 }),
  fc.constantFrom(null, 'abc', {}),
)

test('the plain loops refuse what zod refuses', () => {
  const maybe = z.array(z.int().nullable())
  fc.assert(
    fc.property(anyColumn, (column) => {
      expect(accepts(withColumn('capacity', column))).toBe(maybe.safeParse(column).success)
    }),
  )
})

test('indexes are within their dictionary', () => {
  expect(accepts(withColumn('hostIndex', [0, 0, 0]))).toBe(true)
  expect(accepts(withColumn('hostIndex', [0, 1, 0]))).toBe(false)
  expect(accepts(withColumn('hostIndex', [0, -1, 0]))).toBe(false)
  expect(accepts(withColumn('hostIndex', [0, null, 0]))).toBe(false)
})

test('columns are of one length', () => {
  expect(accepts(withColumn('capacity', [12, 12]))).toBe(false)
  expect(accepts(gpuColumns([]))).toBe(true)
})
