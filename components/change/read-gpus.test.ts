import { expect, test } from 'vitest'
import { readGpus } from './read-gpus'

const GPU = { host: 'cmp-r2-07', address: '0000:e7:00.0' }

test('a pGPU is named by its host and its address', () => {
  expect(readGpus('cmp-r2-07,0000:e7:00.0')).toEqual([GPU])
  expect(readGpus('cmp-r2-07,0000:e7:00.0 cmp-3,0000:18:00.0')).toEqual([
    GPU,
    { host: 'cmp-3', address: '0000:18:00.0' },
  ])
})

test('an incomplete name is skipped', () => {
  for (const text of ['', 'cmp-r2-07', 'cmp-r2-07,', ',0000:e7:00.0']) expect(readGpus(text)).toEqual([])
})
