import { pino } from 'pino'
import type { Database } from '../database/database'
import { parseEnv } from '../env'
import type { Runtime } from '../runtime'

/** A runtime without a process around it. `stop` runs what was registered with `onStop`. */
export const createTestRuntime = ({
  database,
  now = () => new Date(),
  env = {},
}: {
  database: Database
  now?: () => Date
  env?: Record<string, string>
}): Runtime & { stop: () => Promise<void> } => {
  const works: (() => Promise<void>)[] = []
  return {
    env: parseEnv(env),
    database,
    log: pino({ level: 'silent' }),
    now,
    version: '0.0.0-test',
    onStop: (_name, work) => {
      works.unshift(work)
    },
    stop: async () => {
      for (const work of works) await work()
    },
  }
}
