import 'server-only'
import { createLease } from '@/lib/server/background/lease'
import { repeat } from '@/lib/server/background/repeat'
import { requestContext } from '@/lib/server/context/request-context'
import type { Runtime } from '@/lib/server/context/runtime'
import { watchExhaustion } from './watch-exhaustion'
import { watchForecasts } from './watch-forecasts'

const LEASE = { name: 'watch exhaustion', forMs: 120_000 }
const LOOK_MS = 30_000

/** Watches for vGPU types that run out or are likely to, on one console at a time. */
export const startExhaustionWatch = async (runtime: Runtime): Promise<void> => {
  const { database, log } = runtime
  const ctx = requestContext(runtime, 'exhaustion-watch', { kind: 'system' })
  const lease = createLease({ database, log, ...LEASE })
  const seen = new Map<number, string>()
  const turns = repeat(async () => {
    try {
      if (await lease.hold()) {
        await watchExhaustion(ctx)
        await watchForecasts(ctx, seen)
      }
    } catch (err) {
      log.error({ err }, 'vGPU types could not be checked')
    }
    return { restMs: LOOK_MS }
  })
  runtime.onStop('stop watching vGPU types', async () => {
    await turns.stop()
    await lease.release()
  })
}
