import 'server-only'
import { createLease } from '@/lib/server/background/lease'
import { repeat } from '@/lib/server/background/repeat'
import { requestContext } from '@/lib/server/context/request-context'
import type { Runtime } from '@/lib/server/context/runtime'
import { createCommandSigner } from '@/lib/services/agent-command/command-signer'
import { advanceChange } from './advance-change'
import { createChangeTools } from './change-tools'
import { listDueChanges } from './list-due-changes'
import type { Advance } from './turn'

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
