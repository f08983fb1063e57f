import { expect, test } from 'vitest'
import { readShownGpu } from './use-shown-gpu'

test('a pGPU is named by its host and its address', () => {
  expect(readShownGpu('cmp-r2-07,0000:e7:00.0')).toEqual({ host: 'cmp-r2-07', address: '0000:e7:00.0' })
})

test('an incomplete name opens nothing', () => {
  for (const text of [null, '', 'cmp-r2-07', 'cmp-r2-07,', ',0000:e7:00.0'])
    expect(readShownGpu(text)).toBeNull()
})
