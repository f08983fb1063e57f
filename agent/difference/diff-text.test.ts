import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyEdits, editedLength } from '@/lib/schemas/agent/difference'
import { diffText } from './diff-text'

const made = (base: string, next: string): string | null => {
  const edits = diffText(base, next)
  const bytes = Buffer.from(base)
  const length = editedLength(bytes.length, edits)
  if (length === null) return null
  const target = Buffer.alloc(length)
  applyEdits(bytes, edits, target)
  return target.toString()
}

/** Texts that share pieces, some of them with characters of several bytes. */
const piece = fc.constantFrom(
  '{"a":1},',
  '{"b":"é"},',
  '{"b":"è"},',
  '{"c":"🙂"},',
  '{"c":"🙃"},',
  '[',
  ']',
  'x',
  '"ü"',
)
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))

test('the edits make the next text out of the base, whatever characters they have', () => {
  fc.assert(
    fc.property(text, text, (base, next) => {
      expect(made(base, next)).toBe(next)
    }),
    { numRuns: 2000 },
  )
})

test('the same text needs no edit', () => {
  expect(diffText('[{"a":1},{"b":2}]', '[{"a":1},{"b":2}]')).toEqual([])
})

test('an entry that has gone, come or changed costs little more than itself', () => {
  const entries = Array.from({ length: 40 }, (_, n) => `{"uuid":"${n}","name":"instance-${n}"}`)
  const list = (items: string[]) => `[${items.join(',')}]`
  const [base, gone] = [list(entries), list(entries.toSpliced(7, 1))]
  expect(diffText(base, gone)).toHaveLength(1)
  expect(diffText(base, gone)[0]?.[2]).toBe('')
  const changed = list(entries.with(30, '{"uuid":"30","name":"instance-3x"}'))
  expect(diffText(base, changed)).toEqual([[base.indexOf('instance-30') + 10, 1, 'x']])
  expect(diffText(gone, base).map(([, removed]) => removed)).toEqual([0])
})
