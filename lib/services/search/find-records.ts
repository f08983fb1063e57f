import * as z from 'zod'
import { findingCodes, findingTitle } from '@/lib/domain/findings/finding-title'
import type { SearchResults } from '@/lib/schemas/api/search-results'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { pgArray } from '@/lib/server/database/pg-array'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { MAX_RESULTS } from './find-guests'

type Records = Pick<SearchResults, 'findings' | 'changes'>

// SQL: members of a JSON column, and an order by rank.
const FINDINGS = `
SELECT f.id, f.code, f.body->>'sentence' AS sentence FROM finding f
WHERE f.cloud_id = $1 AND f.closed_at IS NULL
  AND (f.id = $3 OR f.code = ANY($4::text[])
    OR strpos(lower(concat_ws(E'\\n', f.code, f.host, f.address, f.body->>'sentence')), $2) > 0)
ORDER BY f.id = $3 DESC, CASE f.severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, f.opened_at DESC, f.key
LIMIT ${MAX_RESULTS}`

const findingRow = z.object({ id: z.int(), code: z.string(), sentence: z.string() })

// SQL: a text without regard to case, and an order by rank.
const CHANGES = `
SELECT id, title, state FROM change WHERE cloud_id = $1 AND (id = $3 OR strpos(lower(title), $2) > 0)
ORDER BY id = $3 DESC, state IN ('running', 'stopped', 'undoing') DESC, id DESC LIMIT ${MAX_RESULTS}`

const changeRow = z.object({ id: z.int(), title: z.string(), state: z.string() })

/** `42`, `#42`, `change 42`: the number of a finding or of a change; 0 is none's. */
const numberIn = (text: string, noun: string): number =>
  Number(new RegExp(`^(?:${noun} *)?#?(\\d{1,9})$`).exec(text)?.[1] ?? 0)

const withTitle = (text: string): string[] =>
  findingCodes().filter((code) => findingTitle(code).toLowerCase().includes(text))

/** Findings that are not resolved, and changes. `text` is in lower case. */
export const findRecords = async (
  { database: { query } }: ServiceContext,
  { cloud, text }: { cloud: Cloud; text: string },
): Promise<Records> => {
  const [findings, changes] = await Promise.all([
    query(FINDINGS, [cloud.id, text, numberIn(text, 'finding'), pgArray(withTitle(text))], findingRow),
    query(CHANGES, [cloud.id, text, numberIn(text, 'change')], changeRow),
  ])
  return {
    changes,
    findings: findings.map(({ id, code, sentence }) => ({ id, title: findingTitle(code), sentence })),
  }
}
