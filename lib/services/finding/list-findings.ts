import 'server-only'
import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { FindingList } from '@/lib/schemas/api/finding'
import { type FindingScope, findingScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { pgArray } from '@/lib/server/database/pg-array'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { findingRow, LISTED_COLUMNS, SEVERITY_RANK, trackedFinding } from './finding-row'

/** Closed findings are history: the newest are listed, the rest is counted. */
const MAX_CLOSED = 500

const ASKED_FOR = `f.cloud_id = $1 AND ($2::text IS NULL OR f.host = $2)
  AND ($3::text[] IS NULL OR f.subject_kind = ANY($3::text[]))`

// SQL: as LISTED_COLUMNS states.
const OPEN = `
SELECT ${LISTED_COLUMNS} FROM finding f WHERE ${ASKED_FOR} AND f.closed_at IS NULL
ORDER BY ${SEVERITY_RANK}, f.opened_at DESC, f.key`

const CLOSED = `
SELECT ${LISTED_COLUMNS} FROM finding f WHERE ${ASKED_FOR} AND f.closed_at IS NOT NULL
ORDER BY f.closed_at DESC, f.key LIMIT ${MAX_CLOSED}`

const COUNT_CLOSED = `
SELECT (SELECT count(*)::int FROM finding f WHERE ${ASKED_FOR} AND f.closed_at IS NOT NULL) AS closed,
  EXISTS (SELECT 1 FROM cloud_round WHERE cloud_id = $1) AS "isRead"`

const countRow = z.object({ closed: z.int(), isRead: z.boolean() })

const versionOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22)

/** Findings of a cloud: all that are open, most urgent first, then those closed last. */
export const listFindings = async (ctx: ServiceContext, input: FindingScope): Promise<FindingList> => {
  requirePermission(ctx, 'fleet.read')
  const { host, about, ...scope } = parseInput(findingScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const { query } = ctx.database
  const asked = [cloud.id, host ?? null, about === undefined ? null : pgArray(about.split(','))]
  const [open, closed, [counted]] = await Promise.all([
    query(OPEN, asked, findingRow),
    query(CLOSED, asked, findingRow),
    query(COUNT_CLOSED, asked, countRow),
  ])
  const now = ctx.now()
  const list = {
    cloud: cloud.name,
    isRead: counted?.isRead ?? false,
    findings: [...open, ...closed].map((row) => trackedFinding(row, now)),
    moreClosed: (counted?.closed ?? 0) - closed.length,
  }
  return { ...list, version: versionOf(list) }
}
