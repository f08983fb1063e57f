import 'server-only'

/**
 * Like `shareTurn`, for what takes longer than a turn: while it is asked for, all who come wait for one next answer, which is
 * begun when that one has ended. So at most one is under way, and nobody gets what was so before they asked.
 * `ask` gets the input of one of those who share it.
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
