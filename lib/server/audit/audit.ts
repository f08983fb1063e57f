import 'server-only'
import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { AuditAction } from '@/lib/domain/access/audit-action'
import { type Actor, describeActor } from '@/lib/server/context/service-context'
import type { Query } from '@/lib/server/database/database'
import { canonicalJson } from '@/lib/util/canonical-json'

// SQL: entries are written behind an advisory lock, and read as they are stored, so that hashes can be verified.

/** Writers wait here for each other, so that each sees the entry before its own. */
const AUDIT_LOCK = 1_936_483_172

/** `prevHash` of the first entry. */
export const FIRST_PREV_HASH = '0'.repeat(64)

export type AuditContent = {
  at: Date
  /** Name of the cloud of the action; null in entries from before the audit was kept by cloud. */
  cloud: string | null
  actor: string
  /** What was done, noun first: `join-token.create`. */
  action: string
  /** To what: `host:cmp-01`. */
  subject: string
  before: unknown
  after: unknown
}

export const auditHash = ({ prevHash, content }: { prevHash: string; content: AuditContent }): string => {
  const { at, cloud, actor, action, subject, before, after } = content
  const fields = [at.toISOString(), actor, action, subject, before ?? null, after ?? null]
  // Entries without a cloud keep the hash that they were written with.
  const text = canonicalJson(cloud === null ? fields : [...fields, cloud])
  return createHash('sha256').update(`${prevHash}\n${text}`).digest('hex')
}

const asJson = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)

const nameRow = z.object({ name: z.string() })
const hashRow = z.object({ hash: z.string() })

/** A cloud's name, or its id where the name is not known. */
type CloudName = string | { id: number }

const nameOf = async (query: Query, cloud: CloudName): Promise<string> => {
  if (typeof cloud === 'string') return cloud
  const [found] = await query('SELECT name FROM cloud WHERE id = $1', [cloud.id], nameRow)
  if (found === undefined) throw new Error(`there is no cloud ${cloud.id} to keep the audit of`)
  return found.name
}

/**
 * Adds one entry to the chain, in the transaction of the recorded write. Call it last, because other writers of the audit
 * wait until that transaction ends. `before` and `after` must not contain secrets.
 */
export const writeAudit = async (
  query: Query,
  entry: Omit<AuditContent, 'action' | 'actor' | 'cloud'> & {
    action: AuditAction
    cloud: CloudName
    actor: Actor
  },
): Promise<void> => {
  const cloud = await nameOf(query, entry.cloud)
  await query('SELECT 1 FROM pg_advisory_xact_lock($1::bigint)', [AUDIT_LOCK])
  const [last] = await query('SELECT hash FROM audit_entry ORDER BY id DESC LIMIT 1', [], hashRow)
  const prevHash = last?.hash ?? FIRST_PREV_HASH
  const content = { ...entry, cloud, actor: describeActor(entry.actor) }
  await query(
    `INSERT INTO audit_entry (at, cloud, actor, action, subject, before, after, prev_hash, hash)
     VALUES ($1::timestamptz, $2, $3, $4, $5, $6::jsonb, $7::jsonb, $8, $9)`,
    [
      content.at,
      content.cloud,
      content.actor,
      content.action,
      content.subject,
      asJson(content.before),
      asJson(content.after),
      prevHash,
      auditHash({ prevHash, content }),
    ],
  )
}

/** For what concerns every cloud, since admins read the audit by cloud: one entry in each. None before the first cloud. */
export const auditEveryCloud = async (
  query: Query,
  entry: Omit<Parameters<typeof writeAudit>[1], 'cloud'>,
): Promise<void> => {
  const clouds = await query('SELECT name FROM cloud ORDER BY name', [], nameRow)
  for (const { name } of clouds) await writeAudit(query, { ...entry, cloud: name })
}
