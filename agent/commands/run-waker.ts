/** A wait that can be cut short. */
export type Waker = {
  /** Resolves after `ms`, at the next `wake`, or when the signal aborts; at once when a `wake` came since the last wait. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  wake: () => void
}

export const createWaker = (): Waker => {
  let isWoken = false
  let finish: (() => void) | null = null
  return {
    wake: () => {
      isWoken = true
      finish?.()
    },
    wait: (ms, signal) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => finish?.(), Math.min(ms, 2_147_483_647))
        finish = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', onAbort)
          finish = null
          isWoken = false
          resolve()
        }
        const onAbort = () => finish?.()
        signal.addEventListener('abort', onAbort)
        if (isWoken || signal.aborted || ms <= 0) finish()
      }),
  }
}
