import { expect, it } from 'vitest'
import { parseCreatableLine } from './creatable-line'

it('reads the id and the name of a line', () => {
  expect(parseCreatableLine('1145  : NVIDIA L40S-1B')).toEqual({ id: 1145, name: 'NVIDIA L40S-1B' })
  expect(parseCreatableLine('\t7:NVIDIA A: B \n')).toEqual({ id: 7, name: 'NVIDIA A: B' })
})

it.each(['ID    : vGPU Name', '', ':', '7', '7:', ' : X', '1234567890 : X', '-1 : X'])(
  'reads nothing out of %j',
  (line) => {
    expect(parseCreatableLine(line)).toBeNull()
  },
)

it('is done with all lines that a hostile host may send', () => {
  const line = `0:${'\t'.repeat(511)}:${'\t'.repeat(508)}\r::`
  const read = Array.from({ length: 512 }, () => parseCreatableLine(line))
  expect(new Set(read.map((type) => type?.id))).toEqual(new Set([0]))
})
