import type { Logger } from '@/lib/server/context/log'
import type { CredentialKind } from '@/lib/services/restore/read-revocations'

/**
 * The one copy of a revocation outside of the database: after a backup was restored, `npm run credentials:revoke` reads it from
 * the log. Call it once the revocation is committed.
 */
export const logRevocation = (
  log: Logger,
  { at, revoked }: { at: Date; revoked: readonly { kind: CredentialKind; id: number }[] },
): void => {
  if (revoked.length > 0) log.info({ revokedAt: at.toISOString(), revoked }, 'Credentials revoked')
}

export const logRevokedAgents = (log: Logger, { at, ids }: { at: Date; ids: readonly number[] }): void =>
  logRevocation(log, { at, revoked: ids.map((id) => ({ kind: 'agent-credential', id })) })
