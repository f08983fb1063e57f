import 'server-only'
import type * as z from 'zod'
import type { auditFilterSchema } from '@/lib/schemas/api/audit-inputs'
import { type AuditRow, auditRow } from '@/lib/server/audit/verify-audit'
import type { ServiceContext } from '@/lib/server/context/service-context'

export type AuditFilter = Omit<z.output<typeof auditFilterSchema>, 'cloud'>

const likely = (part: string | null): string | null =>
  part === null ? null : `%${part.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`

// SQL: Prisma does not escape the wildcards of LIKE.
const SELECT = `
SELECT id, at, cloud, actor, action, subject, before, after, prev_hash AS "prevHash", hash FROM audit_entry
WHERE cloud = $1 AND ($2::text IS NULL OR actor ILIKE $2) AND ($3::text IS NULL OR action LIKE $3)
  AND ($4::text IS NULL OR subject ILIKE $4) AND ($5::timestamptz IS NULL OR at >= $5::timestamptz)
  AND ($6::timestamptz IS NULL OR at < $6::timestamptz)`

const valuesOf = (cloud: string, { who, what, on, from, until }: AuditFilter): unknown[] => [
  cloud,
  likely(who),
  what === null ? null : `${what}.%`,
  likely(on),
  from,
  until,
]

type Part = { cloud: string; filter: AuditFilter; count: number }

/** Entries of a cloud below `before`, newest first. */
export const newestEntries = (
  { database }: ServiceContext,
  { cloud, filter, before, count }: Part & { before: number | null },
): Promise<AuditRow[]> =>
  database.query(
    `${SELECT} AND ($7::bigint IS NULL OR id < $7) ORDER BY id DESC LIMIT $8`,
    [...valuesOf(cloud, filter), before, count],
    auditRow,
  )

/** Entries of a cloud above `after`, oldest first, as the chain goes. */
export const followingEntries = (
  { database }: ServiceContext,
  { cloud, filter, after, count }: Part & { after: number },
): Promise<AuditRow[]> =>
  database.query(
    `${SELECT} AND id > $7 ORDER BY id LIMIT $8`,
    [...valuesOf(cloud, filter), after, count],
    auditRow,
  )
