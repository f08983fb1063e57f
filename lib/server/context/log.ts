import 'server-only'
import { type Logger, pino } from 'pino'
import type { LogLevel } from '@/lib/server/settings/env'

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

const standardError = () => {
  const destination = pino.destination({ dest: 2, sync: true })
  // A terminal that was closed takes no more lines, which must not keep the process from stopping in order.
  destination.on('error', () => undefined)
  return destination
}

/** JSON lines on standard error, with ISO times, level names and the version; standard output is for people. */
export const createLog = ({
  level,
  version,
  target,
}: {
  level: LogLevel
  version: string
  target?: LogTarget
}): Logger =>
  pino(
    {
      level,
      base: { version },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redactedPaths, censor: '[redacted]' },
    },
    target ?? standardError(),
  )
