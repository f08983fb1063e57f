import 'server-only'

/**
 * One result for all callers within a turn of the event loop. The work begins after each of the calls, so no caller gets
 * an older result. For queries that every request needs and that many concurrent requests would send one by one.
 */
export const shareTurn = <Answer>(ask: () => Promise<Answer>): (() => Promise<Answer>) => {
  let next: Promise<Answer> | null = null
  return () => {
    next ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      next = null
      return ask()
    })
    return next
  }
}
