import 'server-only'

/**
 * One answer for all who ask within a turn of the event loop. It is asked for after each of them asked, so nobody gets what was
 * so before: for questions that every request has and that many requests at once would put one by one.
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
