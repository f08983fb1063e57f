import { expect, test } from 'vitest'
import { diffLines } from './card-plan'

test('removed lines come before added ones, and the others stay in place', () => {
  const lines = diffLines(
    '[devices]\ntypes = a\n\n[x]\ny = 1',
    '[devices]\ntypes = a, b\n\n[x]\ny = 1\nz = 2',
  )
  expect(lines.map(({ sign, text }) => sign + text)).toEqual([
    ' [devices]',
    '-types = a',
    '-',
    '+types = a, b',
    '+',
    ' [x]',
    ' y = 1',
    '+z = 2',
  ])
})

test('equal texts have no difference', () => {
  expect(diffLines('a\nb', 'a\nb').every(({ sign }) => sign === ' ')).toBe(true)
})
