import 'server-only'
import type { ChangeState } from '@/lib/schemas/states'
import type { WebhookEvent } from '@/lib/schemas/webhook/webhook-event'
import type { Query } from '@/lib/server/database/database'
import { loadSubscriptions, queueEvent } from './queue-event'

type Ended = { id: number; cloudId: number; kind: string; title: string; state: ChangeState }

const EVENTS: Readonly<Partial<Record<ChangeState, 'change.finished' | 'change.stopped'>>> = {
  done: 'change.finished',
  undone: 'change.finished',
  dropped: 'change.finished',
  stopped: 'change.stopped',
}

/**
 * Queues the event that a change ended or stopped, in the same transaction. `change.state` is the one before; a plan that
 * is discarded before it began causes no event.
 */
export const queueChange = async (
  query: Query,
  {
    change,
    next,
    by,
    reason,
    at,
  }: { change: Ended; next: ChangeState; by: string | null; reason: string | null; at: Date },
): Promise<void> => {
  const name = EVENTS[next]
  if (name === undefined || change.state === 'planned') return
  const { id, cloudId, kind, title } = change
  for (const { webhookId, cloud, wantsChanges } of await loadSubscriptions(query, cloudId)) {
    if (!wantsChanges) continue
    const event: WebhookEvent = {
      event: name,
      at: at.toISOString(),
      cloud,
      change: { id, kind, title, state: next, by, reason },
    }
    await queueEvent(query, { webhookId, event, at })
  }
}
