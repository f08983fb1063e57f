import 'server-only'
import { ServiceError } from '@/lib/server/errors/service-error'
import { createRateLimit } from '@/lib/util/rate-limit'
import type { Logger } from './log'
import type { Actor } from './service-context'

/** How often each signed-in account may ask. */
export type AccountRequests = {
  /** Counts a request. Throws `limit` with the seconds to wait when there were too many. */
  count: (actor: Actor) => void
}

/** A page sends several requests at once, and an export one after the other. */
const BURST_SECONDS = 5
/** Of one account the log has a line so often. */
const LOG_EVERY_SECONDS = 60

/**
 * Limits the requests of each Keystone user on this console, over all sessions and API tokens. Only a console without
 * sign-in has callers without an account, and it listens on the loopback address alone.
 */
export const createAccountRequests = ({
  perSecond,
  log,
  nowMs = () => performance.now(),
}: {
  perSecond: number
  log: Logger
  nowMs?: () => number
}): AccountRequests => {
  const requests = createRateLimit<string>({ burst: perSecond * BURST_SECONDS, perSecond, nowMs })
  const logged = createRateLimit<string>({ burst: 1, perSecond: 1 / LOG_EVERY_SECONDS, nowMs })
  return {
    count: (actor) => {
      if (actor.kind !== 'user' || actor.account === undefined) return
      const { cloud, userId } = actor.account
      const key = `${cloud} ${userId}`
      const waitSeconds = requests.take(key)
      if (waitSeconds === 0) return
      if (logged.take(key) === 0)
        log.warn(
          { actor: actor.name, cloud, perSecond },
          'An account exceeds the request limit; its requests are refused',
        )
      throw new ServiceError(
        'limit',
        `Your account sends more than ${perSecond} requests per second with all its sessions and API tokens. Retry in ${waitSeconds} s.`,
        { retryAfterSeconds: waitSeconds },
      )
    },
  }
}
