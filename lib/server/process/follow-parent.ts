/** How often the parent is looked for. Linux only tells a process of its parent's death if it asks in C. */
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
