import 'server-only'
import { createLease } from '@/lib/server/background/lease'
import { repeat } from '@/lib/server/background/repeat'
import { requestContext } from '@/lib/server/context/request-context'
import type { Runtime } from '@/lib/server/context/runtime'
import { dueAt, endGrants } from './end-grants'

const LEASE = { name: 'end quota grants', forMs: 60_000 }
const LOOK_MS = 5000

/** Takes granted limits back when their end date comes, on one console at a time. */
export const startGrantEnds = async (runtime: Runtime): Promise<void> => {
  const { database, log, now } = runtime
  const ctx = requestContext(runtime, 'grant-ends', { kind: 'system' })
  const lease = createLease({ database, log, ...LEASE })

  const look = async (): Promise<void> => {
    const due = await database.prisma.quotaRequest.findFirst({ where: dueAt(now()), select: { id: true } })
    if (due !== null && (await lease.hold())) await endGrants(ctx)
  }
  const looks = repeat(async () => {
    await look().catch((err: unknown) => log.error({ err }, 'Granted limits could not be checked'))
    return { restMs: LOOK_MS }
  })
  runtime.onStop('stop taking granted limits back', async () => {
    await looks.stop()
    await lease.release()
  })
}
