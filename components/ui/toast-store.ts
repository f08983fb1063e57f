type Toast = { id: number; tone: 'done' | 'error'; text: string; detail: string | null }

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()
const empty: readonly Toast[] = []

const show = (next: readonly Toast[]) => {
  toasts = next
  for (const listener of listeners) listener()
}

const add = (toast: Omit<Toast, 'id'>) => {
  lastId += 1
  show([...toasts.slice(-3), { id: lastId, ...toast }])
}

/** Shows the result of an action once, for a moment. Errors of forms are shown in the form instead. */
export const toast = {
  done: (text: string, detail: string | null = null): void => add({ tone: 'done', text, detail }),
  error: (text: string, detail: string | null = null): void => add({ tone: 'error', text, detail }),
}

export const closeToast = (id: number): void => show(toasts.filter((one) => one.id !== id))
export const toastList = (): readonly Toast[] => toasts
/** On the server there are none. */
export const noToasts = (): readonly Toast[] => empty
export const subscribeToToasts = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
