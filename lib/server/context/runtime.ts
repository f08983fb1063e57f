import 'server-only'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import type { Database } from '@/lib/server/database/database'
import type { SecretBox } from '@/lib/server/secrets/secret-box'
import type { Env } from '@/lib/server/settings/env'
import type { Logger } from './log'
import type { SignIn } from './sign-in'

/** What the process owns once and everything in it shares. */
export type Runtime = {
  env: Env
  database: Database
  log: Logger
  now: () => Date
  /** Sliceboard's version, from package.json. */
  version: string
  /** Sliceboard's own folder, with `docs`. */
  root: string
  /** The service account of each configured cloud, by name. */
  accounts: readonly ServiceAccount[]
  /** Seals what the database holds of secrets. */
  box: SecretBox
  /** Null: the local admin, on the loopback address only. */
  signIn: SignIn | null
  /** Work to finish at a graceful stop, before the database closes; run in the reverse order of registration. */
  onStop: (name: string, work: () => Promise<void>) => void
}

const KEY = Symbol.for('sliceboard.runtime')
type RuntimeHolder = { [KEY]?: Runtime }

// server.ts and Next's bundle each load their own copy of this module; globalThis is what they share.
const holder = globalThis as RuntimeHolder

export const setRuntime = (runtime: Runtime): void => {
  holder[KEY] = runtime
}

export const getRuntime = (): Runtime => {
  const runtime = holder[KEY]
  if (!runtime) throw new Error('The runtime is not set: pages and routes run only behind server.ts.')
  return runtime
}
