import 'server-only'
import { randomUUID } from 'node:crypto'
import { holdLease, releaseLease } from '@/lib/server/background/lease'
import { requestContext } from '@/lib/server/http/request-context'
import type { Runtime } from '@/lib/server/runtime'
import { createCommandSigner } from '@/lib/services/agent-command/command-signer'
import { advanceChange } from './advance-change'
import { createChangeTools } from './change-tools'

const LEASE = { name: 'run changes', forMs: 60_000 }
/** A change that a person starts begins within this. */
const LOOK_MS = 1000
/** What waits or is blocked is looked at again after this. */
const RETRY_MS = 5000

/** Running ones, and those that may have left a test server. An agent's answer is news: its change does not wait any longer. */
const LIST = `
SELECT id, EXISTS (SELECT 1 FROM agent_command WHERE change_id = change.id AND NOT is_settled
  AND state IN ('done', 'refused', 'failed', 'interrupted')) AS "hasNews"
FROM change WHERE state IN ('running', 'undoing') OR (state IN ('stopped', 'dropped') AND NOT is_by_hand AND EXISTS (
  SELECT 1 FROM change_step s WHERE s.change_id = change.id AND s.body->'task'->>'kind' = 'test-boot'
  AND s.intent IS NOT NULL)) ORDER BY id`

/**
 * Runs started changes, on one console at a time. It holds nothing in memory that matters: after a crash or a restart it
 * goes on from what the database says.
 */
export const startChangeRunner = async (runtime: Runtime): Promise<void> => {
  const { database, log, now, accounts } = runtime
  const ctx = requestContext(runtime, 'change-runner', { kind: 'system' })
  const toolsOf = createChangeTools({ ctx, accounts })
  const signer = createCommandSigner(runtime)
  const lease = { ...LEASE, holder: randomUUID() }
  const restsUntil = new Map<number, number>()
  let isStopping = false
  let wake: () => void = () => undefined

  const advance = async ({ id, hasNews }: { id: number; hasNews: boolean }): Promise<boolean> => {
    const restsFor = (restsUntil.get(id) ?? 0) - performance.now()
    if (restsFor > (hasNews ? RETRY_MS - LOOK_MS : 0)) return false
    try {
      if ((await advanceChange({ database, now, toolsOf, signer }, id)) === 'moved') return true
    } catch (err) {
      log.error({ err, change: id }, 'A step of a change broke off; it is looked at again')
    }
    restsUntil.set(id, performance.now() + RETRY_MS)
    return false
  }

  /** One step of each change; true when some may have another at once. */
  const turn = async (): Promise<boolean> => {
    const running = await database.query<{ id: number; hasNews: boolean }>(LIST)
    const ids = new Set(running.map(({ id }) => id))
    for (const id of restsUntil.keys()) if (!ids.has(id)) restsUntil.delete(id)
    if (ids.size === 0 || !(await holdLease(database.query, lease))) return false
    let hasMoved = false
    for (const change of running) {
      if (isStopping) return false
      if (await advance(change)) hasMoved = true
    }
    return hasMoved
  }

  const rest = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, LOOK_MS)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const run = async (): Promise<void> => {
    while (!isStopping) {
      const hasMoved = await turn().catch((err: unknown) => {
        log.error({ err }, 'The changes could not be looked at')
        return false
      })
      if (!hasMoved && !isStopping) await rest()
    }
    await releaseLease(database.query, lease)
  }

  const running = run()
  runtime.onStop('stop running changes', async () => {
    isStopping = true
    wake()
    await running
  })
}
