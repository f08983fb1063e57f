import * as z from 'zod'
import { SESSION_END_REASONS, type SessionEndReason } from '@/lib/schemas/states'
import 'server-only'
import type { SignIn } from '@/lib/server/context/sign-in'
import type { Session } from '../prisma-client/client'

/** Why a session is over: its stored reason, or a limit of time. */
export type SessionEnd = SessionEndReason | 'token-expired' | 'too-old' | 'idle'

const storedReason = z.enum(SESSION_END_REASONS).catch('refused')

type Dates = Pick<Session, 'endedAt' | 'endReason' | 'tokenExpiresAt' | 'expiresAt' | 'lastUsedAt'>

/** Why the session no longer holds; null while it does. */
export const sessionEnd = (row: Dates, { idleMs }: Pick<SignIn, 'idleMs'>, now: Date): SessionEnd | null => {
  if (row.endedAt !== null) return storedReason.parse(row.endReason)
  if (row.tokenExpiresAt <= now) return 'token-expired'
  if (row.expiresAt <= now) return 'too-old'
  return now.getTime() - row.lastUsedAt.getTime() >= idleMs ? 'idle' : null
}
