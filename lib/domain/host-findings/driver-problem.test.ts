import { expect, test } from 'vitest'
import { buildInventory } from '@/lib/domain/testing/build-inventory'
import { sentencesOf } from '@/lib/domain/testing/describe'

const host = (message: string, address = '0000:5e:00.0') =>
  buildInventory({
    cards: [{ address: '0000:3b:00.0' }, { address: '0000:5e:00.0' }],
    problems: [
      {
        source: `nvidia-smi GPU ${address}`,
        code: 'command-failed',
        message: `nvidia-smi reports: ${message}`,
      },
    ],
  })

test('a GPU that nvidia-smi cannot reach, and nothing about the host', () => {
  const inventory = host('Unable to determine the device handle for GPU0000:5E:00.0: Unknown Error')
  expect(sentencesOf(inventory, 'gpu-lost')).toEqual(['error: nvidia-smi cannot reach the GPU'])
  expect(sentencesOf(inventory, 'scan-problems')).toEqual([])
})

test('a warning stays a warning of its GPU', () => {
  const inventory = host('WARNING: infoROM is corrupted at gpu 0000:5E:00.0')
  expect(sentencesOf(inventory, 'driver-warning')).toEqual([
    'warning: nvidia-smi reports a warning: infoROM is corrupted at gpu 0000:5E:00.0',
  ])
  expect(sentencesOf(inventory, 'gpu-lost')).toEqual([])
})

test('a GPU that is not in sysfs leaves a problem of the host', () => {
  expect(sentencesOf(host('GPU 0000:AF:00.0 is lost', '0000:af:00.0'), 'scan-problems')).toHaveLength(1)
})
