import { apiPaths } from '@/lib/util/paths'

/** How often the state is checked, for how long no answer is normal, and how long an answer to a check may take. */
const TICK_MS = 1000
const MAX_QUIET_MS = 4000
const CHECK_TIMEOUT_MS = 2500

type Surroundings = {
  /** Resolves to an answer of any kind, and fails without one. */
  check: (signal: AbortSignal) => Promise<Response>
  now?: () => number
  isVisible?: () => boolean
}

/** A proxy answers with an error in place of a console that is down; the console's own errors have a request id. */
const isOfConsole = ({ ok, headers }: Response): boolean => ok || headers.has('x-request-id')

/**
 * Whether the console answers. Each answer to a request counts, and a failed request is checked at once. Without any answer
 * for a while, as on a page that asks rarely, a small request checks it. While the connection is lost, that is repeated until
 * the console answers.
 */
export const createConnection = ({
  check,
  now = () => performance.now(),
  isVisible = () => document.visibilityState === 'visible',
}: Surroundings) => {
  let isLost = false
  let lastAnswerMs = now()
  let isChecking = false
  const listeners = new Set<() => void>()

  const set = (next: boolean): void => {
    if (isLost === next) return
    isLost = next
    for (const listener of listeners) listener()
  }
  const noteAnswer = (response: Response): void => {
    if (!isOfConsole(response)) return
    lastAnswerMs = now()
    set(false)
  }
  const checkNow = async (): Promise<void> => {
    if (isChecking) return
    isChecking = true
    try {
      const response = await check(AbortSignal.timeout(CHECK_TIMEOUT_MS))
      noteAnswer(response)
      if (!isOfConsole(response)) set(true)
    } catch {
      // For any reason: no answer came.
      set(true)
    } finally {
      isChecking = false
    }
  }
  const tick = (): void => {
    if (isVisible() && (isLost || now() - lastAnswerMs >= MAX_QUIET_MS)) void checkNow()
  }
  return {
    noteAnswer,
    checkNow,
    isLost: (): boolean => isLost,
    /** On the server nothing is lost. */
    isLostOnServer: (): boolean => false,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Begins to check; the answer ends it. */
    watch: (): (() => void) => {
      lastAnswerMs = now()
      const timer = setInterval(tick, TICK_MS)
      const atOnce = () => void checkNow()
      window.addEventListener('offline', atOnce)
      window.addEventListener('online', atOnce)
      return () => {
        clearInterval(timer)
        window.removeEventListener('offline', atOnce)
        window.removeEventListener('online', atOnce)
      }
    },
  }
}

/** Of this page. */
export const connection = createConnection({
  check: (signal) =>
    fetch(apiPaths.health(), { cache: 'no-store', headers: { 'x-background': '1' }, signal }),
})
