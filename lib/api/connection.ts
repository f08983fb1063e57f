/** A proxy answers with an error in place of a console that is down; the console's own errors have a request id. */
const isOfConsole = ({ ok, headers }: Response): boolean => ok || headers.has('x-request-id')

/**
 * Whether the console answers. Each answer to a request counts; a failed request is checked by what watches the connection
 * (./watch-connection), which is loaded later.
 */
export const createConnection = () => {
  let isLost = false
  let lastAnswerMs = 0
  const listeners = new Set<() => void>()
  const set = (next: boolean): void => {
    if (isLost === next) return
    isLost = next
    for (const listener of listeners) listener()
  }
  const connection = {
    /** Set by what watches it. */
    onFailure: (): void => undefined,
    /** False: the answer is not from the console. */
    noteAnswer: (response: Response): boolean => {
      if (!isOfConsole(response)) return false
      lastAnswerMs = Date.now()
      set(false)
      return true
    },
    noteLost: (): void => set(true),
    lastAnswerMs: (): number => lastAnswerMs,
    isLost: (): boolean => isLost,
    /** On the server nothing is lost. */
    isLostOnServer: (): boolean => false,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return connection
}

export type Connection = ReturnType<typeof createConnection>

/** Of this page. */
export const connection = createConnection()
