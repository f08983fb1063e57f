import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/** What the probe in the console measured since it was last read. `delays`: how late a timer of 10 ms was, where more than 1 ms. */
export type LoopWindow = { ms: number; delays: number[]; cpuMs: number; rssMib: number }

/** Waits while the event loop of the console is blocked. */
export const readWindow = async (socket: string): Promise<LoopWindow> =>
  JSON.parse(await text(connect(socket))) as LoopWindow

export const joinWindows = (windows: readonly LoopWindow[]): LoopWindow => ({
  ms: windows.reduce((sum, { ms }) => sum + ms, 0),
  delays: windows.flatMap(({ delays }) => delays),
  cpuMs: windows.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
  rssMib: Math.max(...windows.map(({ rssMib }) => rssMib)),
})

export const maxDelay = ({ delays }: LoopWindow): number => Math.max(0, ...delays)

/**
 * The delay that `share` of requests at random moments do not exceed. A block of 10 s counts for all who would have come in these
 * 10 s, not as one value among thousands.
 */
export const delayAt = ({ ms, delays }: LoopWindow, share: number): number => {
  const isExceeded = (limit: number): boolean =>
    delays.reduce((sum, delay) => sum + Math.max(0, delay - limit), 0) > (1 - share) * ms
  let [low, high] = [0, Math.max(0, ...delays)]
  while (high - low > 0.1) {
    const middle = (low + high) / 2
    if (isExceeded(middle)) low = middle
    else high = middle
  }
  return high
}
