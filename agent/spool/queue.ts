/** A queue for what must not overlap: each work begins when the one before has ended, well or badly. */
export type Queue = {
  add: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Resolves when what is queued by now has ended. */
  idle: () => Promise<unknown>
}

export const createQueue = (): Queue => {
  let tail: Promise<unknown> = Promise.resolve()
  return {
    add: (work) => {
      const done = tail.then(work)
      tail = done.catch(() => undefined)
      return done
    },
    idle: () => tail,
  }
}
