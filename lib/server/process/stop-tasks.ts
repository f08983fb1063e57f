import 'server-only'
import type { Logger } from '@/lib/server/context/log'

type StopWork = { name: string; work: () => Promise<void> }

/** A supervisor that kills after five seconds finds nothing left to kill. */
const LIMIT_MS = 4000
/** What each group that follows keeps of the time. */
const RESERVE_MS = 350

const within = (ms: number, promise: Promise<unknown>): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms)
    void promise.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })

/**
 * Tasks for the stop of the process: the last registered first, those registered with `addTogether` at the same time. One
 * that fails or takes too long does not delay the others.
 */
export const createStopTasks = (log: Logger, { limitMs = LIMIT_MS }: { limitMs?: number } = {}) => {
  const groups: { isTogether: boolean; tasks: StopWork[] }[] = []
  const unfinished = new Set<string>()
  const start = async ({ name, work }: StopWork): Promise<void> => {
    unfinished.add(name)
    try {
      await work()
    } catch (err) {
      log.error({ err, work: name }, 'A step of the shutdown failed')
    }
    unfinished.delete(name)
  }
  return {
    add: (name: string, work: () => Promise<void>): void => {
      groups.push({ isTogether: false, tasks: [{ name, work }] })
    },
    addTogether: (name: string, work: () => Promise<void>): void => {
      const last = groups.at(-1)
      if (last?.isTogether === true) last.tasks.push({ name, work })
      else groups.push({ isTogether: true, tasks: [{ name, work }] })
    },
    run: async (): Promise<void> => {
      const endsAt = performance.now() + limitMs
      const late: Promise<unknown>[] = []
      for (let next = groups.pop(); next; next = groups.pop()) {
        // What the group before left over may have failed by now, since its connections are closed.
        if (groups.length === 0) await within(RESERVE_MS, Promise.all(late))
        const tasks = Promise.all(next.tasks.map(start))
        const leftMs = endsAt - performance.now() - groups.length * RESERVE_MS
        if (!(await within(Math.max(leftMs, RESERVE_MS), tasks))) late.push(tasks)
      }
      for (const work of unfinished) log.warn({ work }, 'A step of the shutdown took too long')
    },
  }
}
