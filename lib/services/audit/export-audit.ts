import 'server-only'
import { type AuditExport, auditExportSchema } from '@/lib/schemas/api/audit-inputs'
import type { AuditRow } from '@/lib/server/audit/verify-audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { csvText } from '@/lib/util/encode/csv'
import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { jsonLine, jsonText } from '@/lib/util/encode/json'
import { type AuditFilter, followingEntries } from './audit-rows'

const PART_SIZE = 200

type Format = 'csv' | 'jsonl'

const COLUMNS = ['id', 'at', 'cloud', 'actor', 'action', 'subject', 'before', 'after', 'prev_hash', 'hash']

const asText = (value: unknown): string | null =>
  value === null || value === undefined ? null : jsonText(value)

const csvLine = ({ id, at, cloud, actor, action, subject, before, after, prevHash, hash }: AuditRow) =>
  csvText([
    [id, at.toISOString(), cloud, actor, action, subject, asText(before), asText(after), prevHash, hash],
  ])

type Part = Encoded<'csv' | 'json'>

const FORMATS: Record<Format, { type: string; head: Part | null; line: (row: AuditRow) => Part }> = {
  csv: { type: 'text/csv; charset=utf-8', head: csvText([COLUMNS]), line: csvLine },
  jsonl: { type: 'application/jsonl', head: null, line: jsonLine },
}

async function* partsOf(
  ctx: ServiceContext,
  { cloud, filter, format }: { cloud: string; filter: AuditFilter; format: Format },
): AsyncGenerator<Part> {
  const { head, line } = FORMATS[format]
  if (head !== null) yield head
  for (let after = 0; ; ) {
    const rows = await followingEntries(ctx, { cloud, filter, after, count: PART_SIZE })
    if (rows.length > 0) yield joinEncoded(rows.map(line), '')
    const last = rows.at(-1)
    if (last === undefined || rows.length < PART_SIZE) return
    after = last.id
  }
}

export type AuditFile = { name: string; type: string; parts: AsyncGenerator<Part> }

/** A cloud's audit as a file, oldest first, with the hashes of the chain; read from the database as it is sent. */
export const exportAudit = async (ctx: ServiceContext, input: AuditExport): Promise<AuditFile> => {
  requirePermission(ctx, 'audit.read')
  const { cloud: name, format, ...filter } = parseInput(auditExportSchema, input)
  const cloud = await findCloud(ctx, { cloud: name })
  const day = ctx.now().toISOString().slice(0, 10)
  return {
    name: `sliceboard-${cloud.name.replaceAll(/[^\w.-]/g, '_')}-audit-${day}.${format}`,
    type: FORMATS[format].type,
    parts: partsOf(ctx, { cloud: cloud.name, filter, format }),
  }
}
