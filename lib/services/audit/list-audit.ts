import 'server-only'
import type { AuditPage } from '@/lib/schemas/api/audit'
import { type AuditScope, auditScopeSchema } from '@/lib/schemas/api/audit-inputs'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { newestEntries } from './audit-rows'

const PAGE_SIZE = 100

/** One page of a cloud's audit, newest first. */
export const listAudit = async (ctx: ServiceContext, input: AuditScope): Promise<AuditPage> => {
  requirePermission(ctx, 'audit.read')
  const { cloud: name, before, ...filter } = parseInput(auditScopeSchema, input)
  const cloud = await findCloud(ctx, { cloud: name })
  const rows = await newestEntries(ctx, { cloud: cloud.name, filter, before, count: PAGE_SIZE + 1 })
  const shown = rows.slice(0, PAGE_SIZE)
  return {
    cloud: cloud.name,
    entries: shown.map(({ prevHash: _, at, ...row }) => ({ ...row, at: at.toISOString() })),
    next: rows.length > PAGE_SIZE ? (shown.at(-1)?.id ?? null) : null,
  }
}
