import 'server-only'
import { GIVE_UP_AFTER_MS } from '@/lib/domain/webhook/delivery-rest'
import type { ServiceContext } from '@/lib/server/context/service-context'

const KEPT_MS = 30 * 24 * 3_600_000
const MOST_KEPT = 500

// SQL: keeps an earlier failure with coalesce, and numbers the messages of each webhook with a window function.
/** Deliveries of disabled webhooks, which are not attempted. */
const GIVE_UP = `
UPDATE webhook_delivery SET state = 'given-up', ended_at = $1::timestamptz,
  failure = coalesce(failure, 'the webhook was switched off for too long')
WHERE state = 'waiting' AND waiting_since < $2::timestamptz`

const DROP = `
DELETE FROM webhook_delivery WHERE id IN (
  SELECT id FROM (
    SELECT id, ended_at, row_number() OVER (PARTITION BY webhook_id ORDER BY id DESC) AS place
    FROM webhook_delivery WHERE state <> 'waiting') ended
  WHERE ended_at < $1::timestamptz OR place > ${MOST_KEPT})`

/** Limits the log to 30 days and 500 messages of each webhook, in addition to waiting ones. */
export const keepLog = async ({ database, now }: ServiceContext): Promise<void> => {
  const at = now().getTime()
  await database.query(GIVE_UP, [new Date(at), new Date(at - GIVE_UP_AFTER_MS)])
  await database.query(DROP, [new Date(at - KEPT_MS)])
}
