import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { createHash } from 'node:crypto'
import type { Period } from '@/lib/domain/review/period'
import type { Review } from '@/lib/schemas/api/review'
import { reviewContentSchema } from '@/lib/schemas/api/review-content'
import * as z from '@/lib/schemas/mini'
import type { Query } from '@/lib/server/database/database'
import { ServiceError } from '@/lib/server/errors/service-error'
import { canonicalJson } from '@/lib/util/canonical-json'
import { jsonText } from '@/lib/util/encode/json'
import type { ReviewFilter } from './compute-review'

export type ReviewRow = {
  id: number
  cloud: string
  region: string | null
  period: string
  timeZone: string
  filterBy: ReviewFilter['by']
  filterKey: string
  madeAt: Date
  madeBy: string
  content: string
  fingerprint: string
}

const COLUMNS = `
r.id, c.name AS cloud, r.region, r.period, r.time_zone AS "timeZone", r.filter_by AS "filterBy", r.filter_key AS "filterKey",
r.made_at AS "madeAt", r.made_by AS "madeBy", r.content, r.fingerprint`

const BY_ID = `SELECT ${COLUMNS} FROM review r JOIN cloud c ON c.id = r.cloud_id WHERE r.id = $1`
const SAME = `
SELECT ${COLUMNS} FROM review r JOIN cloud c ON c.id = r.cloud_id
WHERE r.cloud_id = $1 AND r.period = $2 AND r.time_zone = $3 AND r.filter_by = $4 AND r.filter_key = $5`

export const findReview = async (query: Query, id: number): Promise<ReviewRow | undefined> =>
  (await query(BY_ID, [id], uncheckedRow<ReviewRow>()))[0]

type Same = { cloudId: number; period: Pick<Period, 'name' | 'timeZone'>; filter: ReviewFilter }

/** The one review that there can be of a cloud's period, zone and filter. */
export const findSameReview = async (
  query: Query,
  { cloudId, period, filter }: Same,
): Promise<ReviewRow | undefined> =>
  (
    await query(
      SAME,
      [cloudId, period.name, period.timeZone, filter.by, filter.key],
      uncheckedRow<ReviewRow>(),
    )
  )[0]

/** The bytes that are stored, and SHA-256 of them. Control characters of names are escaped, so a terminal can show them. */
export const freezeContent = (content: unknown): { text: string; fingerprint: string } => {
  const text = jsonText(JSON.parse(canonicalJson(content)))
  return { text, fingerprint: createHash('sha256').update(text).digest('hex') }
}

/** Content as it was kept. */
export const parseContent = (text: string): Review['content'] => {
  const { success, data, error } = z.safeParse(reviewContentSchema, JSON.parse(text))
  if (success) return data
  throw new ServiceError(
    'precondition',
    'A newer version of the console made this review, and this one can’t draw it: open it on a console of that version, or take its JSON.',
    { cause: error },
  )
}

export const reviewDto = (row: ReviewRow): Review => ({
  cloud: row.cloud,
  region: row.region,
  frozen: {
    id: row.id,
    madeAt: row.madeAt.toISOString(),
    madeBy: row.madeBy,
    fingerprint: row.fingerprint,
  },
  closesAt: null,
  content: parseContent(row.content),
})
