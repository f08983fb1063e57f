import { setTimeout as sleep } from 'node:timers/promises'

export type RateGate = { pass: () => Promise<void> }

/**
 * Lets at most `perSecond` through in any second, in order of arrival. A plain bucket of tokens would let twice as many
 * through in the second after a rest. Below one a second, one in each 1/perSecond seconds.
 */
export const createRateGate = (perSecond: number): RateGate => {
  const places = Math.max(1, Math.floor(perSecond))
  const windowMs = perSecond < 1 ? 1000 / perSecond : 1000
  const departures: number[] = []
  let queue: Promise<void> = Promise.resolve()

  const wait = async () => {
    const oldest = departures.length < places ? null : (departures.shift() ?? null)
    // Timers may fire up to a millisecond early, so the clock is checked again.
    for (;;) {
      const leftMs = oldest === null ? 0 : oldest + windowMs - performance.now()
      if (leftMs <= 0) break
      await sleep(Math.ceil(leftMs))
    }
    departures.push(performance.now())
  }
  return {
    pass: () => {
      queue = queue.then(wait)
      return queue
    },
  }
}
