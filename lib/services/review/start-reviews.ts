import 'server-only'
import { createLease } from '@/lib/server/background/lease'
import { repeat } from '@/lib/server/background/repeat'
import { requestContext } from '@/lib/server/context/request-context'
import type { Runtime } from '@/lib/server/context/runtime'
import { makeDueReviews } from './make-due-reviews'

const LEASE = { name: 'freeze reviews', forMs: 600_000 }
const LOOK_MS = 60_000

/** After an import of years of history there are many to create, so pauses leave time for requests. */
const RESTS_PER_REVIEW = 2
const LONGEST_REST_MS = 5000

/** Freezes what has closed, on one console at a time. */
export const startReviews = async (runtime: Runtime): Promise<void> => {
  const { database, log, onStop } = runtime
  const ctx = requestContext(runtime, 'reviews', { kind: 'system' })
  const lease = createLease({ database, log, ...LEASE })
  const looks = repeat(async (isStopping) => {
    try {
      if (!(await lease.hold())) return { restMs: LOOK_MS }
      const startedMs = performance.now()
      const made = await makeDueReviews(ctx, { isStopping, most: 1 })
      const tookMs = performance.now() - startedMs
      if (made > 0) return { restMs: Math.min(LONGEST_REST_MS, RESTS_PER_REVIEW * tookMs) }
    } catch (err) {
      log.error({ err }, 'Reviews could not be stored; retrying')
    }
    return { restMs: LOOK_MS }
  })
  onStop('stop freezing reviews', async () => {
    await looks.stop()
    await lease.release()
  })
}
