import { expect, test, vi } from 'vitest'
import { repeat } from './repeat'

test('turns follow each other, each after the rest that the one before requested', async () => {
  vi.useFakeTimers()
  const turn = vi.fn(async () => ({ restMs: 1000 }))
  const loop = repeat(turn)
  await vi.advanceTimersByTimeAsync(999)
  expect(turn).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(2001)
  expect(turn).toHaveBeenCalledTimes(4)
  vi.useRealTimers()
  await loop.stop()
})

test('a stop cuts the rest short, lets the turn active end, and begins no other', async () => {
  const ended: string[] = []
  let asks: () => boolean = () => false
  let goOn: () => void = () => undefined
  const turn = vi.fn(async (isStopping: () => boolean) => {
    asks = isStopping
    await new Promise<void>((resolve) => {
      goOn = resolve
    })
    ended.push('turn')
    return { restMs: 3_600_000 }
  })
  const loop = repeat(turn)
  expect(asks()).toBe(false)
  const stopped = loop.stop().then(() => ended.push('stop'))
  expect(asks()).toBe(true)
  goOn()
  await stopped
  expect(ended).toEqual(['turn', 'stop'])
  expect(turn).toHaveBeenCalledTimes(1)

  const resting = repeat(async () => ({ restMs: 3_600_000 }))
  await new Promise((resolve) => setImmediate(resolve))
  await resting.stop()
})
