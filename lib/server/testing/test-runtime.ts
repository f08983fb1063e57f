import { pino } from 'pino'
import type { Runtime } from '@/lib/server/context/runtime'
import type { SignIn } from '@/lib/server/context/sign-in'
import { createSecretBox } from '@/lib/server/secrets/secret-box'
import { parseEnv } from '@/lib/server/settings/env'
import type { Database } from '../database/database'

/** A runtime without a process around it. `stop` runs what was registered with `onStop`. */
export const createTestRuntime = ({
  database,
  now = () => new Date(),
  env = {},
  signIn = null,
}: {
  database: Database
  now?: () => Date
  env?: Record<string, string>
  signIn?: SignIn | null
}): Runtime & { stop: () => Promise<void> } => {
  const tasks: (() => Promise<void>)[] = []
  return {
    env: parseEnv(env),
    database,
    log: pino({ level: 'silent' }),
    now,
    version: '0.0.0-test',
    root: process.cwd(),
    box: signIn?.box ?? createSecretBox(['a secret of tests that seals nothing real']),
    signIn,
    accounts: [],
    onStop: (_name, work) => {
      tasks.unshift(work)
    },
    stop: async () => {
      for (const work of tasks) await work()
    },
  }
}
