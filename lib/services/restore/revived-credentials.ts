import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { writeAudit } from '@/lib/server/audit/audit'
import type { Query } from '@/lib/server/database/database'
import type { CredentialKind, Revocation } from './read-revocations'

/** A credential that is valid in this database although it was revoked. */
export type RevivedCredential = {
  kind: CredentialKind
  id: number
  /** Host, or label of the token. */
  name: string
  cloud: string
  /** When it was revoked, before the database was restored. */
  at: Date
}

type Row = { id: number; name: string; cloud: string; createdAt: Date }

const FIND: Readonly<Record<CredentialKind, string>> = {
  'agent-credential': `
SELECT c.id, h.name, l.name AS cloud, c.created_at AS "createdAt"
FROM agent_credential c JOIN host h ON h.id = c.host_id JOIN cloud l ON l.id = c.cloud_id
WHERE c.revoked_at IS NULL`,
  'api-token': `
SELECT id, label || ' of ' || user_name || '@' || user_domain AS name, cloud, created_at AS "createdAt"
FROM api_token WHERE revoked_at IS NULL AND expires_at > $1::timestamptz`,
  'join-token': `
SELECT t.id, t.label AS name, l.name AS cloud, t.created_at AS "createdAt"
FROM join_token t JOIN cloud l ON l.id = t.cloud_id
WHERE t.revoked_at IS NULL AND t.expires_at > $1::timestamptz AND t.uses < t.max_uses`,
}

const find = async (query: Query, kind: CredentialKind, now: Date): Promise<Map<number, Row>> => {
  const rows = await query(FIND[kind], kind === 'agent-credential' ? [] : [now], uncheckedRow<Row>())
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Credentials that were revoked and are valid in this database: it is older than the revocation. Numbers are given out again
 * after a restore, so a credential counts only if it was created before the revocation.
 */
export const findRevivedCredentials = async (
  query: Query,
  { revocations, now }: { revocations: readonly Revocation[]; now: Date },
): Promise<RevivedCredential[]> => {
  const valid: Readonly<Record<CredentialKind, Map<number, Row>>> = {
    'agent-credential': await find(query, 'agent-credential', now),
    'api-token': await find(query, 'api-token', now),
    'join-token': await find(query, 'join-token', now),
  }
  const revived = new Map<string, RevivedCredential>()
  for (const { kind, id, at } of revocations) {
    const row = valid[kind].get(id)
    if (row === undefined || row.createdAt >= at) continue
    revived.set(`${kind} ${id}`, { kind, id, name: row.name, cloud: row.cloud, at })
  }
  return [...revived.values()]
}

const REVOKE: Readonly<Record<CredentialKind, string>> = {
  'agent-credential': 'UPDATE agent_credential SET revoked_at = $2::timestamptz WHERE id = $1',
  'api-token': `UPDATE api_token SET revoked_at = $2::timestamptz, revoked_by = 'system' WHERE id = $1`,
  'join-token': 'UPDATE join_token SET revoked_at = $2::timestamptz WHERE id = $1',
}

const ACTIONS = {
  'agent-credential': 'agent.revoke',
  'api-token': 'api-token.revoke',
  'join-token': 'join-token.revoke',
} as const satisfies Record<CredentialKind, string>

/** Revokes them again, with an audit entry each. Call it in a transaction. */
export const revokeRevivedCredentials = async (
  query: Query,
  { revived, now }: { revived: readonly RevivedCredential[]; now: Date },
): Promise<void> => {
  for (const { kind, id, name, cloud, at } of revived) {
    await query(REVOKE[kind], [id, now])
    await writeAudit(query, {
      at: now,
      actor: { kind: 'system' },
      cloud,
      action: ACTIONS[kind],
      subject: kind === 'agent-credential' ? `host:${name}` : `${kind}:${id}`,
      before: { cloud, ...(kind === 'agent-credential' ? { credentialId: id } : { label: name }) },
      after: { state: 'revoked', reason: 'restored-backup', firstRevokedAt: at.toISOString() },
    })
  }
}
