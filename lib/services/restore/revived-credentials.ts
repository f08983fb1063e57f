import 'server-only'
import { writeAudit } from '@/lib/server/audit/audit'
import type { Connection, PrismaConnection } from '@/lib/server/database/database'
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

type Valid = Omit<RevivedCredential, 'kind' | 'at'> & { createdAt: Date }

const cloud = { select: { name: true } } as const

const FIND: Readonly<Record<CredentialKind, (client: PrismaConnection, now: Date) => Promise<Valid[]>>> = {
  'agent-credential': async ({ prisma }) => {
    const rows = await prisma.agentCredential.findMany({
      where: { revokedAt: null },
      select: { id: true, createdAt: true, host: { select: { name: true } }, cloud },
    })
    return rows.map((row) => ({ ...row, name: row.host.name, cloud: row.cloud.name }))
  },
  'api-token': async ({ prisma }, now) => {
    const rows = await prisma.apiToken.findMany({
      where: { revokedAt: null, expiresAt: { gt: now } },
      select: { id: true, createdAt: true, cloud: true, label: true, userName: true, userDomain: true },
    })
    return rows.map(({ label, userName, userDomain, ...row }) => ({
      ...row,
      name: `${label} of ${userName}@${userDomain}`,
    }))
  },
  'join-token': async ({ prisma }, now) => {
    const rows = await prisma.joinToken.findMany({
      where: { revokedAt: null, expiresAt: { gt: now }, uses: { lt: prisma.joinToken.fields.maxUses } },
      select: { id: true, createdAt: true, label: true, cloud },
    })
    return rows.map((row) => ({ ...row, name: row.label, cloud: row.cloud.name }))
  },
}

const find = async (client: PrismaConnection, kind: CredentialKind, now: Date): Promise<Map<number, Valid>> =>
  new Map((await FIND[kind](client, now)).map((row) => [row.id, row]))

/**
 * Credentials that were revoked and are valid in this database: it is older than the revocation. Numbers are given out again
 * after a restore, so a credential counts only if it was created before the revocation.
 */
export const findRevivedCredentials = async (
  client: PrismaConnection,
  { revocations, now }: { revocations: readonly Revocation[]; now: Date },
): Promise<RevivedCredential[]> => {
  const valid: Readonly<Record<CredentialKind, Map<number, Valid>>> = {
    'agent-credential': await find(client, 'agent-credential', now),
    'api-token': await find(client, 'api-token', now),
    'join-token': await find(client, 'join-token', now),
  }
  const revived = new Map<string, RevivedCredential>()
  for (const { kind, id, at } of revocations) {
    const row = valid[kind].get(id)
    if (row === undefined || row.createdAt >= at) continue
    revived.set(`${kind} ${id}`, { kind, id, name: row.name, cloud: row.cloud, at })
  }
  return [...revived.values()]
}

const REVOKE: Readonly<
  Record<CredentialKind, (client: PrismaConnection, one: { id: number; now: Date }) => Promise<unknown>>
> = {
  'agent-credential': ({ prisma }, { id, now }) =>
    prisma.agentCredential.update({ where: { id }, data: { revokedAt: now }, select: { id: true } }),
  'api-token': ({ prisma }, { id, now }) =>
    prisma.apiToken.update({
      where: { id },
      data: { revokedAt: now, revokedBy: 'system' },
      select: { id: true },
    }),
  'join-token': ({ prisma }, { id, now }) =>
    prisma.joinToken.update({ where: { id }, data: { revokedAt: now }, select: { id: true } }),
}

const ACTIONS = {
  'agent-credential': 'agent.revoke',
  'api-token': 'api-token.revoke',
  'join-token': 'join-token.revoke',
} as const satisfies Record<CredentialKind, string>

/** Revokes them again, with an audit entry each. Call it in a transaction. */
export const revokeRevivedCredentials = async (
  connection: Connection,
  { revived, now }: { revived: readonly RevivedCredential[]; now: Date },
): Promise<void> => {
  for (const { kind, id, name, cloud, at } of revived) {
    await REVOKE[kind](connection, { id, now })
    await writeAudit(connection.query, {
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
