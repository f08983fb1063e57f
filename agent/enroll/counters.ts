import { readFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod/mini'
import { type AgentLog, reasonOf } from '../commands/run-log'
import { writeDurable } from '../spool/durable-file'
import { isMissing, parseJson } from './credential-file'

const countersSchema = z.object({
  boot: z.int().check(z.gte(0), z.lte(2_147_483_646)),
  lostReports: z.int().check(z.gte(0), z.lte(2_147_483_647)),
})

/** The two numbers of an agent that must outlive it. */
export type Counters = {
  /** Starts of this agent; 0 before the first `raiseBoot`. */
  boot: () => number
  /** Reports that were lost on this host since the first start. */
  lostReports: () => number
  /** Takes a boot number above all earlier ones and above `floor`. Rejects when it could not be made durable. */
  raiseBoot: (floor: number) => Promise<number>
  /** Counts at once; what the disk does not take goes with the next write. */
  addLost: (count: number) => Promise<void>
}

export const openCounters = async (stateDirectory: string, log: AgentLog): Promise<Counters> => {
  const file = path.join(stateDirectory, 'counters.json')
  let { boot, lostReports } = await readCounters(file, log)
  const save = (next: number) =>
    writeDurable({ file, data: `${JSON.stringify({ boot: next, lostReports })}\n` })
  return {
    boot: () => boot,
    lostReports: () => lostReports,
    raiseBoot: async (floor) => {
      const next = Math.max(boot, floor) + 1
      await save(next)
      boot = next
      return next
    },
    addLost: async (count) => {
      lostReports += count
      await save(boot).catch((error: unknown) =>
        log.warn(`The count of lost reports could not be stored: ${reasonOf(error)}.`),
      )
    },
  }
}

const readCounters = async (file: string, log: AgentLog) => {
  const none = { boot: 0, lostReports: 0 }
  try {
    const parsed = countersSchema.safeParse(parseJson(await readFile(file, 'utf8')))
    if (parsed.success) return parsed.data
    log.warn(`The counters in ${file} are damaged and start again; the console returns the last position.`)
    return none
  } catch (error) {
    if (isMissing(error)) return none
    throw error
  }
}
