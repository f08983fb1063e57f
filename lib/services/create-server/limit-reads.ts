import 'server-only'
import type { ProjectMember } from '@/lib/server/context/require-project'
import { ServiceError } from '@/lib/server/errors/service-error'
import { createRateLimit } from '@/lib/util/rate-limit'

/** Each use costs OpenStack about ten requests, on the connections that the console reads the cloud with. */
const requests = createRateLimit<string>({ burst: 20, perSecond: 0.5, nowMs: () => performance.now() })

/** Counts a request of a person. Throws `limit` with the seconds to wait when there were too many. */
export const limitReads = ({ cloud, userId }: ProjectMember): void => {
  const waitSeconds = requests.take(`${cloud} ${userId}`)
  if (waitSeconds > 0)
    throw new ServiceError('limit', `Too many requests for a new server. Try again in ${waitSeconds} s.`, {
      retryAfterSeconds: waitSeconds,
    })
}
