import 'server-only'
import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

/** Beyond that many at once refusals go out as they come. */
const MAX_HELD = 512

/**
 * Waits before a refusal is sent, and reads nothing more of its connection until then. This slows down a client that
 * sends as fast as it gets answers, or without waiting for answers, at no cost.
 */
export const createHold = (ms: number): ((req: IncomingMessage) => Promise<void>) => {
  let held = 0
  return async ({ socket }) => {
    if (ms === 0 || held >= MAX_HELD) return
    held += 1
    socket.pause()
    try {
      await wait(ms, undefined, { ref: false })
    } finally {
      held -= 1
      socket.resume()
    }
  }
}
