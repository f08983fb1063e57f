import 'server-only'
import * as z from 'zod'
import type { Query } from '@/lib/server/database/database'

/** Longer than any sign-in lasts, so no token remains that could delete what a discarded change left behind. */
const LEFT_FOR_MS = 7 * 86_400_000

const HAS_NEWS = `
EXISTS (SELECT 1 FROM agent_command WHERE change_id = change.id AND NOT is_settled
  AND state IN ('done', 'refused', 'failed', 'interrupted'))`

const HAS_LEFT = `
EXISTS (SELECT 1 FROM change_step test WHERE test.change_id = change.id
  AND test.body->'task'->>'kind' = 'test-boot' AND test.intent IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM change_step gone WHERE gone.change_id = change.id AND gone.state = 'done'
    AND gone.body->'task'->>'kind' = 'delete-test' AND gone.body->'task'->>'host' = test.body->'task'->>'host'))`

// SQL: conditions on other rows of the same change.
const LIST = `
SELECT id, version, state NOT IN ('running', 'undoing') AS "isEnded", ${HAS_NEWS} AS "hasNews"
FROM change WHERE state IN ('running', 'undoing') OR (NOT is_by_hand AND ${HAS_LEFT}
  AND (state = 'stopped' OR state = 'dropped' AND ended_at > $1::timestamptz)) ORDER BY id`

const dueChangeRow = z.object({
  id: z.int(),
  version: z.int(),
  isEnded: z.boolean(),
  /** An agent has answered. */
  hasNews: z.boolean(),
})

/** Changes that need a check, the oldest first: active ones, and ended ones that may have left a test server. */
export const listDueChanges = (query: Query, now: Date): Promise<z.infer<typeof dueChangeRow>[]> =>
  query(LIST, [new Date(now.getTime() - LEFT_FOR_MS)], dueChangeRow)
