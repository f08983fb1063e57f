import { expect, test } from 'vitest'
import { imageProblem } from './image-problem'

const GIB = 1024 ** 3
const IMAGE = { minDiskGib: 10, minMemoryMib: 2048, sizeBytes: 3 * GIB }
const FLAVOR = { diskGib: 40, memoryMib: 16_384 }

test.each([
  ['an image that fits', {}, {}, null],
  ['exactly the size of the flavor', { minDiskGib: 40, minMemoryMib: 16_384, sizeBytes: 40 * GIB }, {}, null],
  ['too little memory', { minMemoryMib: 32_768 }, {}, 'needs 32 GiB of memory'],
  ['a minimum disk above the flavor', { minDiskGib: 64 }, {}, 'needs a disk of 64 GiB'],
  ['a size above the flavor', { sizeBytes: 40 * GIB + 1 }, {}, 'needs a disk of 41 GiB'],
  ['a flavor without a disk', { minDiskGib: 64, sizeBytes: 90 * GIB }, { diskGib: 0 }, null],
  ['an unknown size', { sizeBytes: null }, {}, null],
])('%s', (_, image, flavor, problem) => {
  expect(imageProblem({ ...IMAGE, ...image }, { ...FLAVOR, ...flavor })).toBe(problem)
})
