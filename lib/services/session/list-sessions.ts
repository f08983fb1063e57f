import 'server-only'
import type { SessionDto, SessionList } from '@/lib/schemas/api/session'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Session } from '@/lib/server/prisma-client/client'
import { rolesOf, scopeOf } from '@/lib/server/session/account-actor'
import { sessionEnd } from '@/lib/server/session/session-state'
import { listOpenSessions } from '@/lib/server/session/session-store'
import { ownSession } from './own-session'
import { noSignIn } from './sign-in-error'

/** In the order in which they must be looked for: each later one's header also carries an earlier one's name. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]

const SYSTEMS: readonly [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const first = (table: readonly [RegExp, string][], text: string): string | undefined =>
  table.find(([pattern]) => pattern.test(text))?.[1]

/** A User-Agent header in a few words, enough for people to know their own: "Firefox on Linux". */
export const describeAgent = (agent: string | null): string => {
  if (agent === null || agent === '') return 'unknown'
  const browser = first(BROWSERS, agent)
  const system = first(SYSTEMS, agent)
  if (browser === undefined) return agent.split(/\s/, 1)[0]?.slice(0, 40) ?? 'unknown'
  return system === undefined ? browser : `${browser} on ${system}`
}

const MAX_SHOWN = 200

const sessionOf = (row: Session, ownId: number): SessionDto => ({
  id: row.id,
  isThisOne: row.id === ownId,
  scope: scopeOf(row),
  role: rolesOf(row.role)[0] ?? null,
  method: row.method,
  address: row.address,
  agent: describeAgent(row.agent),
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt.toISOString(),
  expiresAt: new Date(Math.min(row.tokenExpiresAt.getTime(), row.expiresAt.getTime())).toISOString(),
})

/** The person's own sessions in this cloud that hold, the one in use most lately first. */
export const listSessions = async (ctx: ServiceContext): Promise<SessionList> => {
  requirePermission(ctx, 'session.list')
  const { signIn } = ctx
  if (signIn === null) throw noSignIn()
  const own = await ownSession(ctx)
  const now = ctx.now()
  const rows = await listOpenSessions(ctx.database, own, MAX_SHOWN)
  return {
    sessions: rows
      .filter((row) => row.id === own.id || sessionEnd(row, signIn, now) === null)
      .map((row) => sessionOf(row, own.id)),
  }
}
