import { expect, test } from 'vitest'
import { createGpuStore, gpuRowAt, isCloudRead } from './gpu-store'
import { makeColumns } from './testing/make-columns'

test('rows keep what the server sent, unknown numbers included', () => {
  const reason = 'Guests could not be read'
  const store = createGpuStore(
    makeColumns([{ host: 'cmp-1', address: '0000:18:00.0', used: null, spare: null, reason }]),
  )
  expect(gpuRowAt(store, 0)).toMatchObject({
    host: 'cmp-1',
    address: '0000:18:00.0',
    model: 'NVIDIA T4',
    type: { shortName: 'T4-4Q' },
    range: null,
    capacity: 4,
    used: null,
    finding: null,
    reason,
  })
})

test('the base order is natural: by host, then by address', () => {
  const store = createGpuStore(
    makeColumns([
      { host: 'cmp-10', address: '0000:18:00.0' },
      { host: 'cmp-9', address: '0000:e7:00.0' },
      { host: 'cmp-9', address: '0000:18:00.0' },
    ]),
  )
  expect([...store.baseOrder]).toEqual([2, 1, 0])
})

test('an empty fleet is a store without rows', () => {
  expect(createGpuStore(makeColumns([])).count).toBe(0)
})

test('the data of the cloud is in the row, and states whether a cloud is read', () => {
  const word = {
    advertised: 22,
    advertisedUsed: 9,
    stranded: 3,
    service: 'disabled',
    aggregates: ['gpu-a40', 'gpu-desktop'],
  } as const
  const card = { host: 'cmp-1', address: '0000:18:00.0' }
  const read = createGpuStore(makeColumns([{ ...card, ...word, aggregates: [...word.aggregates] }]))
  expect(gpuRowAt(read, 0)).toMatchObject(word)
  expect(isCloudRead(read)).toBe(true)
  const unread = createGpuStore(makeColumns([card]))
  expect(gpuRowAt(unread, 0)).toMatchObject({ advertised: null, service: null, aggregates: null })
  expect(isCloudRead(unread)).toBe(false)
})

test('one vGPU type in several wordings is one type, under the wording that names it', () => {
  const columns = makeColumns([
    { host: 'cmp-1', address: '0000:18:00.0', type: 'a' },
    { host: 'cmp-1', address: '0000:19:00.0', type: 'b' },
    { host: 'cmp-1', address: '0000:1a:00.0', type: null },
    { host: 'cmp-1', address: '0000:1b:00.0', type: 'c' },
  ])
  const worded = (typeId: string, shortName: string) => ({ typeId, shortName, framebufferMib: null })
  const types = [
    worded('nvidia-1154', 'nvidia-1154'),
    worded('nvidia-1154', 'L40S-16Q'),
    worded('nvidia-1155', 'L40S-24Q'),
  ]
  const store = createGpuStore({ ...columns, types })
  expect([0, 1, 2, 3].map((row) => gpuRowAt(store, row).type?.shortName)).toEqual([
    'L40S-16Q',
    'L40S-16Q',
    undefined,
    'L40S-24Q',
  ])
  expect(store.columns.typeIndex[0]).toBe(store.columns.typeIndex[1])
})
