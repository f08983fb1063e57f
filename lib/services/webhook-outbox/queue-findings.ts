import 'server-only'
import * as z from 'zod'
import type { LifecycleStep, StoredFinding } from '@/lib/domain/findings/lifecycle'
import { bundleFindings } from '@/lib/domain/webhook/bundle-findings'
import type { FindingLine } from '@/lib/schemas/webhook/webhook-event'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { loadSubscriptions, queueEvent } from './queue-event'

// SQL: a statement of the transaction that makes the event.
const IDS = `
SELECT f.id, f.key FROM finding f WHERE f.cloud_id = $1 AND f.key = ANY($2::text[])
  AND NOT EXISTS (SELECT FROM finding_mute m WHERE m.cloud_id = f.cloud_id AND m.code = f.code AND m.until > $3)`
const idRow = z.object({ id: z.int(), key: z.string() })

type Moved = { change: FindingLine['change']; stored: StoredFinding }

const movedOf = (step: LifecycleStep): Moved[] =>
  (['opened', 'reopened', 'closed'] as const).flatMap((change) =>
    step[change]
      // One that comes back while somebody knows of it is no news.
      .filter(({ status }) => change === 'closed' || status === 'open')
      .map((stored) => ({ change, stored })),
  )

const lineOf = ({ change, stored }: Moved, id: number): FindingLine => {
  const { code, severity, subject, sentence, consequence, nextStep } = stored.finding
  return { change, id, code, severity, subject, sentence, consequence, nextStep }
}

/**
 * Queues the events of a round's findings, in its transaction and after they were stored: one message for each webhook. Findings
 * of a muted kind send none.
 */
export const queueFindings = async (
  query: Query,
  { cloudId, step, at }: { cloudId: number; step: LifecycleStep; at: Date },
): Promise<void> => {
  const moved = movedOf(step)
  if (moved.length === 0) return
  const subscriptions = (await loadSubscriptions(query, cloudId)).filter(
    ({ findingSeverity }) => findingSeverity !== null,
  )
  if (subscriptions.length === 0) return
  const keys = pgArray(moved.map(({ stored }) => stored.key))
  const rows = await query(IDS, [cloudId, keys, at], idRow)
  const ids = new Map(rows.map(({ id, key }) => [key, id]))
  const lines = moved.flatMap((one) => {
    const id = ids.get(one.stored.key)
    return id === undefined ? [] : [lineOf(one, id)]
  })
  for (const { webhookId, cloud, findingSeverity } of subscriptions) {
    const event =
      findingSeverity === null
        ? null
        : bundleFindings({ lines, from: findingSeverity, at: at.toISOString(), cloud })
    if (event !== null) await queueEvent(query, { webhookId, event, at })
  }
}
