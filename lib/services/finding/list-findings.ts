import { FINDING_SOURCES, FINDING_STATES } from '@/lib/schemas/choices'
import 'server-only'
import { createHash } from 'node:crypto'
import * as z from 'zod'
import {
  type FilteredFinding,
  type FindingFacet,
  type FindingFilter,
  filterFindings,
} from '@/lib/domain/finding-list/filter-findings'
import { SOURCE_TO_CORRECT_LABELS, subjectText } from '@/lib/domain/finding-list/finding-labels'
import { firstOfGroups, groupFindings } from '@/lib/domain/finding-list/group-findings'
import { findingTitle } from '@/lib/domain/findings/finding-title'
import { type FindingList, findingSubjectSchema, type TrackedFinding } from '@/lib/schemas/api/finding'
import { type FindingScope, findingScopeSchema } from '@/lib/schemas/api/scope'
import { SEVERITIES } from '@/lib/schemas/severity'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { pgArray } from '@/lib/server/database/pg-array'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { listedValues } from '@/lib/util/listed-values'
import { naturalOrder } from '@/lib/util/natural-order'
import { pageOf } from '@/lib/util/page-of'
import { findingRow, LISTED_COLUMNS, SEVERITY_RANK, stateAt } from './finding-row'
import { trackFindings } from './track-findings'

/** Closed findings are history: the newest are listed, the rest is counted. */
const MAX_CLOSED = 500

const OF_SUBJECTS = `f.cloud_id = $1 AND ($2::text[] IS NULL OR f.subject_kind = ANY($2::text[]))
  AND ($3::text[] IS NULL OR f.host = ANY($3::text[]))`

const KEYS = `f.id, f.code, f.severity, f.host, coalesce(f.body->>'sourceToCorrect', f.body->>'blame') AS "sourceToCorrect",
  ${stateAt('$4')} AS state,
  CASE WHEN $5::boolean THEN f.body->'subject' END AS subject, CASE WHEN $5::boolean THEN f.body->>'sentence' END AS sentence, f.note`

// SQL: members of a JSON column, which Prisma's client can only load as a whole, and an order by rank.
const OPEN = `
SELECT ${KEYS} FROM finding f WHERE ${OF_SUBJECTS} AND f.closed_at IS NULL
ORDER BY ${SEVERITY_RANK}, f.opened_at DESC, f.key`

const CLOSED = `
SELECT ${KEYS} FROM finding f WHERE ${OF_SUBJECTS} AND f.closed_at IS NOT NULL
ORDER BY f.closed_at DESC, f.key LIMIT ${MAX_CLOSED}`

const COUNT_CLOSED = `
SELECT (SELECT count(*)::int FROM finding f WHERE ${OF_SUBJECTS} AND f.closed_at IS NOT NULL) AS closed,
  EXISTS (SELECT 1 FROM cloud_round WHERE cloud_id = $1) AS "isRead"`

const BODIES = `SELECT ${LISTED_COLUMNS} FROM finding f WHERE f.cloud_id = $1 AND f.id = ANY($2::int[])`

const keyRow = z.object({
  id: z.int(),
  code: z.string(),
  severity: z.enum(SEVERITIES),
  host: z.string().nullable(),
  sourceToCorrect: z.enum(FINDING_SOURCES).nullable(),
  state: z.enum(FINDING_STATES),
  subject: z.nullable(findingSubjectSchema),
  sentence: z.string().nullable(),
  note: z.string().nullable(),
})

const countRow = z.object({ closed: z.int(), isRead: z.boolean() })

type Listed = FilteredFinding & { id: number; title: string }

const listed = ({ subject, sentence, note, ...row }: z.infer<typeof keyRow>): Listed => {
  const title = findingTitle(row.code)
  const searched = [
    sentence,
    title,
    row.code,
    subject === null ? null : subjectText(subject),
    subject?.kind === 'limit' ? subject.resourceName : null,
    row.sourceToCorrect === null ? null : SOURCE_TO_CORRECT_LABELS[row.sourceToCorrect],
    row.state === 'acknowledged' ? note : null,
  ]
  return { ...row, title, text: searched.filter((part) => part !== null).join(' ') }
}

const labelOf = (facet: FindingFacet, value: string): string => {
  if (facet === 'code') return findingTitle(value)
  const source = facet === 'sourceToCorrect' ? FINDING_SOURCES.find((one) => one === value) : undefined
  return source === undefined ? value : SOURCE_TO_CORRECT_LABELS[source]
}

const facetOf = (facet: FindingFacet, counts: ReadonlyMap<string, number>) =>
  [...counts]
    .map(([value, count]) => ({ value, label: labelOf(facet, value), count }))
    .toSorted((a, b) => naturalOrder(a.label, b.label))

const versionOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22)

/** The findings with these ids, in their order. */
const loadPage = async (
  ctx: ServiceContext,
  cloudId: number,
  page: readonly { id: number }[],
): Promise<TrackedFinding[]> => {
  if (page.length === 0) return []
  const ids = page.map(({ id }) => id)
  const rows = await ctx.database.query(BODIES, [cloudId, pgArray(ids)], findingRow)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return trackFindings(ctx, { cloudId, rows: ids.flatMap((id) => byId.get(id) ?? []) })
}

const chosenOf = <Value extends string>(known: readonly Value[], text: string | undefined): Value[] => {
  const values = listedValues(text)
  return known.filter((value) => values.includes(value))
}

const filterOf = (requested: Partial<Record<keyof FindingFilter, string | undefined>>): FindingFilter => ({
  q: requested.q ?? '',
  severity: chosenOf(SEVERITIES, requested.severity),
  state: chosenOf(FINDING_STATES, requested.state),
  host: listedValues(requested.host),
  code: listedValues(requested.code),
  sourceToCorrect: chosenOf(FINDING_SOURCES, requested.sourceToCorrect),
})

/** A page of a cloud's findings: all that are open, most urgent first, then those closed last; or the first of each kind. */
export const listFindings = async (ctx: ServiceContext, input: FindingScope): Promise<FindingList> => {
  requirePermission(ctx, 'fleet.read')
  const { about, sort = 'urgency', limit, cursor, ...requested } = parseInput(findingScopeSchema, input)
  const cloud = await findCloud(ctx, requested)
  const filter = filterOf(requested)
  const { query } = ctx.database
  const hasFacets = sort === 'kind' && cursor === null
  const arrayOf = (values: readonly string[]) => (values.length === 0 ? null : pgArray(values))
  const scope = [cloud.id, arrayOf(listedValues(about)), hasFacets ? null : arrayOf(filter.host)]
  const keys = [...scope, ctx.now(), filter.q.trim() !== '']
  const [open, closed, [counted]] = await Promise.all([
    query(OPEN, keys, keyRow),
    query(CLOSED, keys, keyRow),
    query(COUNT_CLOSED, scope, countRow),
  ])
  const { found, counts } = filterFindings([...open, ...closed].map(listed), filter)
  const groups = groupFindings(found)
  const [only, second] = groups
  const isOfKinds = sort === 'kind' && second !== undefined
  const page = isOfKinds
    ? { rows: firstOfGroups(groups, limit), total: found.length, next: null }
    : pageOf(only === undefined || sort === 'urgency' ? found : only.findings, {
        limit,
        cursor,
        keyOf: ({ id }) => id,
      })
  const list = {
    cloud: cloud.name,
    isRead: counted?.isRead ?? false,
    findings: await loadPage(ctx, cloud.id, page.rows),
    moreClosed: (counted?.closed ?? 0) - closed.length,
    total: page.total,
    next: page.next,
    kinds: groups.map(({ code, title, findings }) => {
      const severities = { error: 0, warning: 0, info: 0 }
      for (const { severity } of findings) severities[severity] += 1
      return { code, title, ...severities }
    }),
    facets: hasFacets
      ? {
          state: facetOf('state', counts.state),
          severity: facetOf('severity', counts.severity),
          host: facetOf('host', counts.host),
          code: facetOf('code', counts.code),
          sourceToCorrect: facetOf('sourceToCorrect', counts.sourceToCorrect),
        }
      : null,
  }
  return { ...list, version: versionOf(list) }
}
