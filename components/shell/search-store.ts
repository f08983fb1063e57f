let isOpen = false
const listeners = new Set<() => void>()

const change = (next: boolean): void => {
  isOpen = next
  for (const listener of listeners) listener()
}

/** The one search dialog, which several buttons and a key open. */
export const openSearch = (): void => change(true)
export const setSearchOpen = (next: boolean): void => change(next)
export const isSearchOpen = (): boolean => isOpen
export const isSearchOpenOnServer = (): boolean => false
export const subscribeToSearch = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
