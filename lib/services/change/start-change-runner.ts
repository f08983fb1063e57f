import 'server-only'
import * as z from 'zod'
import { createLease } from '@/lib/server/background/lease'
import { repeat } from '@/lib/server/background/repeat'
import { requestContext } from '@/lib/server/context/request-context'
import type { Runtime } from '@/lib/server/context/runtime'
import type { Query } from '@/lib/server/database/database'
import { createCommandSigner } from '@/lib/services/agent-command/command-signer'
import { advanceChange } from './advance-change'
import { createChangeTools } from './change-tools'
import type { Advance } from './turn'

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

const LEASE = { name: 'run changes', forMs: 60_000 }
/** A change that a person starts begins within this. */
const LOOK_MS = 1000
/** Interval after which a waiting or blocked change is checked again. */
const RETRY_MS = 5000

/** What has ended, and waits for a sign-in to take its test server away. */
const ENDED_MS = 60_000

type Due = Awaited<ReturnType<typeof listDueChanges>>[number]

/** The version changes with every action of a person, so that the change is then checked immediately. */
const keyOf = ({ id, version }: Due): string => `${id}/${version}`

/**
 * Runs started changes, on one console at a time. All state is in the database, so that a run continues after a crash
 * or a restart.
 */
export const startChangeRunner = async (runtime: Runtime): Promise<void> => {
  const { env, database, log, now, accounts } = runtime
  const ctx = requestContext(runtime, 'change-runner', { kind: 'system' })
  const toolsOf = createChangeTools({ ctx, accounts })
  const signer = createCommandSigner(runtime)
  const lease = createLease({ database, log, ...LEASE })
  const restsUntil = new Map<string, number>()

  const advance = async (due: Due): Promise<boolean> => {
    const { id, isEnded, hasNews } = due
    const restsFor = (restsUntil.get(keyOf(due)) ?? 0) - performance.now()
    // An agent's answer is news: its change does not wait any longer.
    if (restsFor > (hasNews ? RETRY_MS - LOOK_MS : 0)) return false
    let outcome: Advance = 'over'
    try {
      const { silentAfterSeconds } = env
      outcome = await advanceChange({ database, now, toolsOf, signer, silentAfterSeconds }, id)
      if (outcome === 'moved') return true
    } catch (err) {
      log.error({ err, change: id }, 'A step of a change failed; it will be checked again')
    }
    const restMs = isEnded && outcome === 'over' ? ENDED_MS : RETRY_MS
    restsUntil.set(keyOf(due), performance.now() + restMs)
    return false
  }

  /** One step of each change; true when some may have another at once. */
  const turn = async (isStopping: () => boolean): Promise<boolean> => {
    const due = await listDueChanges(database.query, now())
    const keys = new Set(due.map(keyOf))
    for (const key of restsUntil.keys()) if (!keys.has(key)) restsUntil.delete(key)
    if (due.length === 0 || !(await lease.hold())) return false
    let hasMoved = false
    for (const change of due) {
      if (isStopping()) return false
      if (await advance(change)) hasMoved = true
    }
    return hasMoved
  }

  const turns = repeat(async (isStopping) => {
    const hasMoved = await turn(isStopping).catch((err: unknown) => {
      log.error({ err }, 'Changes could not be loaded')
      return false
    })
    return { restMs: hasMoved ? 0 : LOOK_MS }
  })
  runtime.onStop('stop running changes', async () => {
    await turns.stop()
    await lease.release()
  })
}
