import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freeBytes, MIN_FREE_BYTES, watchDiskSpace } from './disk-space'

test('space is short below the reserve, and until there is clearly more again', () => {
  let free = MIN_FREE_BYTES
  let at = 0
  const diskSpace = watchDiskSpace('/data', { free: () => free, now: () => at })
  const atFree = (bytes: number) => {
    free = bytes
    at += 100
    return diskSpace.isShort()
  }
  expect([
    atFree(MIN_FREE_BYTES),
    atFree(MIN_FREE_BYTES - 1),
    atFree(MIN_FREE_BYTES + 1),
    atFree(2 * MIN_FREE_BYTES),
    atFree(MIN_FREE_BYTES + 1),
  ]).toEqual([false, true, true, false, false])
  expect(() => diskSpace.check()).not.toThrow()
  atFree(0)
  expect(() => diskSpace.check()).toThrow(
    expect.objectContaining({ code: '53100', message: 'Less than 64 MiB are free on the disk of /data.' }),
  )
})

test('the free space is not read for every statement', () => {
  let reads = 0
  let at = 0
  const free = () => {
    reads += 1
    return MIN_FREE_BYTES
  }
  const diskSpace = watchDiskSpace('/data', { free, now: () => at })
  for (at = 0; at < 100; at += 1) diskSpace.isShort()
  expect(reads).toBe(2)
})

test('a folder has free space', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sliceboard-room-'))
  expect(freeBytes(directory)).toBeGreaterThan(0)
  await rm(directory, { recursive: true })
})
