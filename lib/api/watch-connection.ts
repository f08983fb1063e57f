import { healthPath } from '@/lib/util/help-paths'
import type { Connection } from './connection'

/** How often the state is checked, for how long no answer is normal, and how long an answer to a check may take. */
const TICK_MS = 1000
const MAX_QUIET_MS = 4000
const CHECK_TIMEOUT_MS = 2500

type Surroundings = {
  /** Resolves to an answer of any kind, and fails without one. */
  check?: (signal: AbortSignal) => Promise<Response>
  isVisible?: () => boolean
}

const askHealth = (signal: AbortSignal): Promise<Response> =>
  fetch(healthPath(), { cache: 'no-store', headers: { 'x-background': '1' }, signal })

/**
 * Checks the connection with a small request: at once after a failed request, or when the browser reports that it is offline
 * or online, and after a while without any answer, as on a page that asks rarely. While the connection is lost, that is
 * repeated until the console answers. The answer ends it.
 */
export const watchConnection = (
  connection: Connection,
  { check = askHealth, isVisible = () => document.visibilityState === 'visible' }: Surroundings = {},
): (() => void) => {
  let isChecking = false
  const checkNow = async (): Promise<void> => {
    if (isChecking) return
    isChecking = true
    try {
      if (!connection.noteAnswer(await check(AbortSignal.timeout(CHECK_TIMEOUT_MS)))) connection.noteLost()
    } catch {
      // For any reason: no answer came.
      connection.noteLost()
    } finally {
      isChecking = false
    }
  }
  const begunMs = Date.now()
  const timer = setInterval(() => {
    const quietMs = Date.now() - Math.max(begunMs, connection.lastAnswerMs())
    if (isVisible() && (connection.isLost() || quietMs >= MAX_QUIET_MS)) void checkNow()
  }, TICK_MS)
  const atOnce = () => void checkNow()
  connection.onFailure = atOnce
  window.addEventListener('offline', atOnce)
  window.addEventListener('online', atOnce)
  return () => {
    clearInterval(timer)
    connection.onFailure = () => undefined
    window.removeEventListener('offline', atOnce)
    window.removeEventListener('online', atOnce)
  }
}
