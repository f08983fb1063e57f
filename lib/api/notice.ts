/** A sentence that is set once and stays until the page is loaded again; for `useSyncExternalStore`. */
export const createNotice = () => {
  let sentence: string | null = null
  const listeners = new Set<() => void>()
  return {
    /** The first sentence counts. */
    set: (text: string): void => {
      if (sentence !== null) return
      sentence = text
      for (const listener of listeners) listener()
    },
    current: (): string | null => sentence,
    /** Nothing is set during server rendering. */
    none: (): null => null,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
