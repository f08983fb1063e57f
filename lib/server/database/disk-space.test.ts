import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freeBytes, KEPT_FREE_BYTES, watchDiskRoom } from './disk-space'

test('the room is short below what is kept, and until there is clearly more again', () => {
  let free = KEPT_FREE_BYTES
  let at = 0
  const room = watchDiskRoom('/data', { free: () => free, now: () => at })
  const atFree = (bytes: number) => {
    free = bytes
    at += 100
    return room.isShort()
  }
  expect([
    atFree(KEPT_FREE_BYTES),
    atFree(KEPT_FREE_BYTES - 1),
    atFree(KEPT_FREE_BYTES + 1),
    atFree(2 * KEPT_FREE_BYTES),
    atFree(KEPT_FREE_BYTES + 1),
  ]).toEqual([false, true, true, false, false])
  expect(() => room.check()).not.toThrow()
  atFree(0)
  expect(() => room.check()).toThrow(
    expect.objectContaining({ code: '53100', message: 'Less than 64 MiB are free on the disk of /data.' }),
  )
})

test('the system is not asked with every statement', () => {
  let asked = 0
  let at = 0
  const free = () => {
    asked += 1
    return KEPT_FREE_BYTES
  }
  const room = watchDiskRoom('/data', { free, now: () => at })
  for (at = 0; at < 100; at += 1) room.isShort()
  expect(asked).toBe(2)
})

test('a folder has room', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sliceboard-room-'))
  expect(freeBytes(directory)).toBeGreaterThan(0)
  await rm(directory, { recursive: true })
})
