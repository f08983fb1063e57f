import * as z from 'zod'
import { SESSION_END_REASONS, type SessionEndReason } from '@/lib/schemas/states'
import 'server-only'
import type { SignIn } from '@/lib/server/context/sign-in'
import type { Session } from '../prisma-client/client'

/** Why a session is over: its stored reason, or a limit of time, in ms. */
export type SessionEnd =
  | { reason: SessionEndReason }
  | { reason: 'token-expired' | 'too-old' | 'idle'; afterMs: number }

const storedReason = z.enum(SESSION_END_REASONS).catch('refused')

type Dates = Pick<
  Session,
  'endedAt' | 'endReason' | 'tokenExpiresAt' | 'expiresAt' | 'lastUsedAt' | 'createdAt'
>

/** Why the session no longer holds; null while it does. */
export const sessionEnd = (row: Dates, { idleMs }: Pick<SignIn, 'idleMs'>, now: Date): SessionEnd | null => {
  if (row.endedAt !== null) return { reason: storedReason.parse(row.endReason) }
  const lasted = (until: Date): number => until.getTime() - row.createdAt.getTime()
  if (row.tokenExpiresAt <= now) return { reason: 'token-expired', afterMs: lasted(row.tokenExpiresAt) }
  if (row.expiresAt <= now) return { reason: 'too-old', afterMs: lasted(row.expiresAt) }
  return now.getTime() - row.lastUsedAt.getTime() >= idleMs ? { reason: 'idle', afterMs: idleMs } : null
}
