import 'server-only'
import type { SignIn } from '@/lib/server/context/sign-in'
import type { Session } from '../prisma-client/client'

/** What a row says of its end; the others follow from the clock. */
export type StoredEnd = 'signed-out' | 'ended-elsewhere' | 'refused' | 'secret-changed'

export type SessionEnd = StoredEnd | 'token-expired' | 'too-old' | 'idle'

const storedEnds: Record<string, StoredEnd> = {
  'signed-out': 'signed-out',
  'ended-elsewhere': 'ended-elsewhere',
  refused: 'refused',
  'secret-changed': 'secret-changed',
}

type Dates = Pick<Session, 'endedAt' | 'endReason' | 'tokenExpiresAt' | 'expiresAt' | 'lastUsedAt'>

/** Why the session no longer holds; null while it does. */
export const sessionEnd = (row: Dates, { idleMs }: Pick<SignIn, 'idleMs'>, now: Date): SessionEnd | null => {
  if (row.endedAt !== null) return storedEnds[row.endReason ?? ''] ?? 'refused'
  if (row.tokenExpiresAt <= now) return 'token-expired'
  if (row.expiresAt <= now) return 'too-old'
  return now.getTime() - row.lastUsedAt.getTime() >= idleMs ? 'idle' : null
}
