import 'server-only'
import * as z from 'zod'
import type { Query } from '@/lib/server/database/database'
import { auditHash, FIRST_PREV_HASH } from './audit'

const PAGE_SIZE = 1000

/** An entry as it is stored. */
export const auditRow = z.object({
  id: z.int(),
  at: z.date(),
  cloud: z.string().nullable(),
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  prevHash: z.string(),
  hash: z.string(),
})
export type AuditRow = z.infer<typeof auditRow>

export type AuditVerdict = {
  entries: number
  /** Hash of the last entry that holds. Kept elsewhere, it also shows when entries are missing at the end. */
  head: string
  broken: { id: number; reason: string } | null
}

const readPage = (query: Query, afterId: number): Promise<AuditRow[]> =>
  query(
    `SELECT id, at, cloud, actor, action, subject, before, after, prev_hash AS "prevHash", hash
     FROM audit_entry WHERE id > $1 ORDER BY id LIMIT ${PAGE_SIZE}`,
    [afterId],
    auditRow,
  )

const findFault = (row: AuditRow, prevHash: string): string | null => {
  if (row.prevHash !== prevHash) return 'it does not follow the entry before it'
  if (row.hash !== auditHash({ prevHash, content: row })) return 'its content does not match its hash'
  return null
}

/** Walks the whole chain from the first entry. */
export const verifyAudit = async (query: Query): Promise<AuditVerdict> => {
  let entries = 0
  let head = FIRST_PREV_HASH
  let lastId = 0
  for (;;) {
    const page = await readPage(query, lastId)
    for (const row of page) {
      const reason = findFault(row, head)
      if (reason) return { entries, head, broken: { id: row.id, reason } }
      entries += 1
      head = row.hash
      lastId = row.id
    }
    if (page.length < PAGE_SIZE) return { entries, head, broken: null }
  }
}
