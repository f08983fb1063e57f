/** Whether one thing of the page, such as a dialog that several buttons and a key open, is open; for `useSyncExternalStore`. */
export const createToggle = () => {
  let isOpen = false
  const listeners = new Set<() => void>()
  return {
    set: (next: boolean): void => {
      isOpen = next
      for (const listener of listeners) listener()
    },
    isOpen: (): boolean => isOpen,
    isOpenOnServer: (): boolean => false,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
