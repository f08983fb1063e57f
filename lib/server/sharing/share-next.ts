import 'server-only'

/**
 * Like `shareTurn`, for work that takes longer than a turn: callers that arrive during a run share one next run, which
 * begins when the current one has ended. So at most one is running, and no caller gets a result from before its call.
 * `ask` gets the input of one of the callers that share it.
 */
export const shareNext = <Input, Answer>(
  ask: (input: Input) => Promise<Answer>,
): ((input: Input) => Promise<Answer>) => {
  let next: Promise<Answer> | null = null
  let last: Promise<unknown> = Promise.resolve()
  return (input) => {
    if (next !== null) return next
    const before = last
    const mine = new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => before)
      .then(() => {
        next = null
        return ask(input)
      })
    next = mine
    last = mine.catch(() => undefined)
    return mine
  }
}
