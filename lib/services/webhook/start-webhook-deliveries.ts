import 'server-only'
import { createLease } from '@/lib/server/background/lease'
import { repeat } from '@/lib/server/background/repeat'
import { requestContext } from '@/lib/server/context/request-context'
import type { Runtime } from '@/lib/server/context/runtime'
import { deliverNext, listDueWebhooks } from './deliver'
import { keepLog } from './keep-log'
import { resealWebhooks } from './reseal-webhooks'

const LEASE = { name: 'send webhooks', forMs: 60_000 }
const LOOK_MS = 1000
const KEEP_LOG_MS = 600_000
const MOST_AT_ONCE = 8
/** Then another webhook may have its place. */
const MOST_IN_A_ROW = 20

/**
 * Sends what the outbox holds, on one console at a time: several webhooks at once, each of them one message after the
 * other, so that a receiver that is dead delays no other. It holds nothing in memory that matters.
 */
export const startWebhookDeliveries = async (runtime: Runtime): Promise<void> => {
  const { database, log } = runtime
  const ctx = requestContext(runtime, 'webhooks', { kind: 'system' })
  const lease = createLease({ database, log, ...LEASE })
  const busy = new Map<number, Promise<void>>()
  let keepLogAt = 0

  const drain = async (webhookId: number, isStopping: () => boolean): Promise<void> => {
    try {
      for (let sent = 0; sent < MOST_IN_A_ROW && !isStopping(); sent += 1)
        if (!(await deliverNext(ctx, { webhookId }))) return
    } catch (err) {
      log.error({ err, webhook: webhookId }, 'Delivery to a webhook failed; retrying')
    }
  }

  const turn = async (isStopping: () => boolean): Promise<void> => {
    const due = await listDueWebhooks(ctx)
    const isCleaning = performance.now() >= keepLogAt
    if (due.length + busy.size === 0 && !isCleaning) return
    if (!(await lease.hold())) return
    for (const webhookId of due) {
      if (busy.size >= MOST_AT_ONCE) break
      if (busy.has(webhookId)) continue
      busy.set(
        webhookId,
        drain(webhookId, isStopping).finally(() => busy.delete(webhookId)),
      )
    }
    if (!isCleaning) return
    keepLogAt = performance.now() + KEEP_LOG_MS
    await resealWebhooks(ctx)
    await keepLog(ctx)
  }

  const turns = repeat(async (isStopping) => {
    await turn(isStopping).catch((err: unknown) => log.error({ err }, 'Webhooks could not be loaded'))
    return { restMs: LOOK_MS }
  })
  runtime.onStop('stop sending webhooks', async () => {
    await turns.stop()
    await Promise.all(busy.values())
    await lease.release()
  })
}
