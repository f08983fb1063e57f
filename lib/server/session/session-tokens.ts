import 'server-only'
import type { SignIn } from '@/lib/server/context/sign-in'
import type { Session } from '../prisma-client/client'

type Kind = 'unscoped' | 'scoped'

/** Bound to the session's own hash: a sealed token copied into another row does not open. */
const purposeOf = (hash: string, kind: Kind): string => `session:${kind}:${hash}`

export const sealToken = (
  { box }: Pick<SignIn, 'box'>,
  { hash, kind, tokenId }: { hash: string; kind: Kind; tokenId: string },
): string => box.seal(tokenId, purposeOf(hash, kind))

/** The session's Keystone token; null when there is none or its key is gone. */
export const openToken = (
  { box }: Pick<SignIn, 'box'>,
  row: Pick<Session, 'hash' | 'unscopedToken' | 'scopedToken'>,
  kind: Kind,
): string | null => {
  const sealed = kind === 'scoped' ? row.scopedToken : row.unscopedToken
  return sealed === null ? null : box.open(sealed, purposeOf(row.hash, kind))
}
