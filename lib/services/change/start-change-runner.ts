import 'server-only'
import { randomUUID } from 'node:crypto'
import { holdLease, releaseLease } from '@/lib/server/background/lease'
import { requestContext } from '@/lib/server/http/request-context'
import type { Runtime } from '@/lib/server/runtime'
import { advanceChange } from './advance-change'
import { createChangeTools } from './change-tools'

const LEASE = { name: 'run changes', forMs: 60_000 }
/** A change that a person starts begins within this. */
const LOOK_MS = 1000
/** What waits or is blocked is looked at again after this. */
const RETRY_MS = 5000

const LIST = `SELECT id FROM change WHERE state IN ('running', 'undoing') ORDER BY id`

/**
 * Runs started changes, on one console at a time. It holds nothing in memory that matters: after a crash or a restart it
 * goes on from what the database says.
 */
export const startChangeRunner = async (runtime: Runtime): Promise<void> => {
  const { database, log, now, accounts } = runtime
  const ctx = requestContext(runtime, 'change-runner', { kind: 'system' })
  const toolsOf = createChangeTools({ ctx, accounts })
  const lease = { ...LEASE, holder: randomUUID() }
  const restsUntil = new Map<number, number>()
  let isStopping = false
  let wake: () => void = () => undefined

  const advance = async (id: number): Promise<boolean> => {
    if ((restsUntil.get(id) ?? 0) > performance.now()) return false
    try {
      if ((await advanceChange({ database, now, toolsOf }, id)) === 'moved') return true
    } catch (err) {
      log.error({ err, change: id }, 'A step of a change broke off; it is looked at again')
    }
    restsUntil.set(id, performance.now() + RETRY_MS)
    return false
  }

  /** One step of each change; true when some may have another at once. */
  const turn = async (): Promise<boolean> => {
    const running = await database.query<{ id: number }>(LIST)
    const ids = new Set(running.map(({ id }) => id))
    for (const id of restsUntil.keys()) if (!ids.has(id)) restsUntil.delete(id)
    if (ids.size === 0 || !(await holdLease(database.query, lease))) return false
    let hasMoved = false
    for (const id of ids) {
      if (isStopping) return false
      if (await advance(id)) hasMoved = true
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
