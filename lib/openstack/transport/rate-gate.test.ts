import { describe, expect, it } from 'vitest'
import { createRateGate } from './rate-gate'

const passAll = async (perSecond: number, count: number) => {
  const gate = createRateGate(perSecond)
  const order: number[] = []
  const times: number[] = []
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await gate.pass()
      times.push(performance.now())
      order.push(index)
    }),
  )
  return { order, times }
}

describe('createRateGate', () => {
  it('lets no more than the rate through in any second, in order of arrival', async () => {
    const { order, times } = await passAll(20, 45)
    expect(order).toEqual([...order].sort((a, b) => a - b))
    for (let index = 20; index < times.length; index += 1) {
      // The clock is read a moment after the gate opened.
      expect((times[index] ?? 0) - (times[index - 20] ?? 0)).toBeGreaterThan(990)
    }
  })

  it('lets the first ones through at once', async () => {
    const start = performance.now()
    await passAll(20, 20)
    expect(performance.now() - start).toBeLessThan(500)
  })

  it('spaces a rate below one a second', async () => {
    const { times } = await passAll(0.8, 2)
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1240)
  })
})
