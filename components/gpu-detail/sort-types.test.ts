import { expect, test } from 'vitest'
import { type SupportedType, sortTypes } from './sort-types'

const type = (
  shortName: string,
  framebufferMib: number | null,
  maxInstance: number | null,
): SupportedType => ({
  typeId: `nvidia-${shortName}`,
  name: shortName,
  shortName,
  framebufferMib,
  heads: null,
  maxResolution: null,
  frameRateLimit: null,
  maxInstance,
  isMigBacked: false,
  creatable: null,
  limitReason: null,
  isFromStore: false,
})

const types = [
  type('T4-16C', 16384, 1),
  type('T4-1Q', 1024, 16),
  type('T4-8Q', 8192, 2),
  type('odd', null, null),
]
const names = (sorted: readonly SupportedType[]) => sorted.map(({ shortName }) => shortName)

test('the largest framebuffer comes first and an unknown one last', () => {
  expect(names(sortTypes(types, 'framebuffer'))).toEqual(['T4-16C', 'T4-8Q', 'T4-1Q', 'odd'])
})

test('names sort by their numbers, not by their letters', () => {
  expect(names(sortTypes(types, 'name'))).toEqual(['odd', 'T4-1Q', 'T4-8Q', 'T4-16C'])
})

test('the default order is the driver’s', () => {
  expect(sortTypes(types, 'driver')).toBe(types)
})
