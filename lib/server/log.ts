import 'server-only'
import { type Logger, pino } from 'pino'
import type { LogLevel } from './env'

export type { Logger }

const SECRET_KEYS = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'secret',
  'token',
  'credential',
  'databaseUrl',
  'passcode',
  'tokenId',
  'unscopedToken',
  'scopedToken',
  'x-auth-token',
  'x-subject-token',
]

const redactedPaths = SECRET_KEYS.flatMap((key) => {
  const name = `["${key}"]`
  return [name, `*${name}`, `*.*${name}`, `*.*.*${name}`].map((path) => path.replace(/^\[/, '['))
})

type LogTarget = { write: (line: string) => void }

/** JSON lines on standard error; standard output carries only what a person is to read. */
export const createLog = ({ level, target }: { level: LogLevel; target?: LogTarget }): Logger =>
  pino(
    { level, base: null, redact: { paths: redactedPaths, censor: '[redacted]' } },
    target ?? pino.destination({ dest: 2, sync: true }),
  )
