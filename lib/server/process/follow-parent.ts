/** How often the parent is checked: Node.js has no call for Linux's signal at a parent's death. */
const LOOK_MS = 500

/**
 * Calls back when the process that started this one has ended. npm passes neither SIGHUP nor, of course, SIGKILL on to what
 * it runs, which would then keep its port and its lock.
 */
export const followParent = (onGone: () => void): void => {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onGone()
  }, LOOK_MS)
  timer.unref()
}
