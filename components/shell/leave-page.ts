/** The title that nuqs passes when it changes the address itself. */
const MARKER = '__nuqs__'
/** A page that has not loaded by then has failed. */
const MAX_MS = 10_000

/** The path that is being left for another, until that one is there. */
let leaving: { path: string; sinceMs: number } | null = null
let isWatching = false

const isLeaving = (): boolean =>
  leaving !== null && location.pathname === leaving.path && performance.now() - leaving.sinceMs < MAX_MS

const watch = (method: 'pushState' | 'replaceState'): void => {
  const usual = history[method]
  history[method] = (data, marker, url) => {
    if (marker !== MARKER || !isLeaving()) usual.call(history, data, marker, url)
    else History.prototype.replaceState.call(history, history.state, '', url)
  }
}

/**
 * Gives a link precedence over input that was typed just before it. The address follows a list's tools with a delay, and
 * Next's router would treat such a change as the navigation target, in place of a link that was pressed in the meantime.
 * So while another page is loading, the address of this one changes without the router. Call this when the router starts
 * a navigation.
 */
export const leavePage = (href: string): void => {
  const { pathname } = new URL(href, location.href)
  leaving = pathname === location.pathname ? null : { path: location.pathname, sinceMs: performance.now() }
  // The router and nuqs have replaced the browser's functions at this point.
  if (isWatching) return
  isWatching = true
  watch('pushState')
  watch('replaceState')
}
