import 'server-only'
import { createHash } from 'node:crypto'
import type * as z from 'zod/mini'
import type { Period } from '@/lib/domain/review/period'
import type { Review } from '@/lib/schemas/api/review'
import {
  reviewContentV1Schema,
  reviewContentV2Schema,
  reviewContentV3Schema,
  reviewContentV4Schema,
} from '@/lib/schemas/api/review-content'
import type { PrismaConnection } from '@/lib/server/database/database'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Prisma, Review as StoredReview } from '@/lib/server/prisma-client/client'
import { canonicalJson } from '@/lib/util/canonical-json'
import { jsonText } from '@/lib/util/encode/json'
import type { ReviewFilter } from './compute-review'

const WITH_CLOUD = { cloud: { select: { name: true } } } satisfies Prisma.ReviewInclude

/** A frozen review with the name of its cloud. */
export type ReviewRow = Omit<StoredReview, 'cloud'> & { cloud: string }

const reviewRow = (row: Prisma.ReviewGetPayload<{ include: typeof WITH_CLOUD }> | null): ReviewRow | null =>
  row === null ? null : { ...row, cloud: row.cloud.name }

export const findReview = async ({ prisma }: PrismaConnection, id: number): Promise<ReviewRow | null> =>
  reviewRow(await prisma.review.findUnique({ where: { id }, include: WITH_CLOUD }))

type Same = { cloudId: number; period: Pick<Period, 'name' | 'timeZone'>; filter: ReviewFilter }

/** The one review that there can be of a cloud's period, zone and filter. */
export const findSameReview = async (
  { prisma }: PrismaConnection,
  { cloudId, period, filter }: Same,
): Promise<ReviewRow | null> => {
  const key = { cloudId, period: period.name, timeZone: period.timeZone }
  return reviewRow(
    await prisma.review.findUnique({
      where: {
        cloudId_period_timeZone_filterBy_filterKey: {
          ...key,
          filterBy: filter.by,
          filterKey: filter.key,
        },
      },
      include: WITH_CLOUD,
    }),
  )
}

/** The bytes that are stored, and SHA-256 of them. Control characters of names are escaped, so a terminal can show them. */
export const freezeContent = (content: unknown): { text: string; fingerprint: string } => {
  const text = jsonText(JSON.parse(canonicalJson(content)))
  return { text, fingerprint: createHash('sha256').update(text).digest('hex') }
}

/** The schema of each version of stored content. */
const CONTENT_SCHEMAS = new Map<number, z.ZodMiniType<Review['content']>>([
  [1, reviewContentV1Schema],
  [2, reviewContentV2Schema],
  [3, reviewContentV3Schema],
  [4, reviewContentV4Schema],
])

/** Stored content, by the schema of the version that its row names. */
export const parseContent = ({
  id,
  contentVersion,
  content,
}: Pick<ReviewRow, 'id' | 'contentVersion' | 'content'>): Review['content'] => {
  const schema = CONTENT_SCHEMAS.get(contentVersion)
  if (schema === undefined)
    throw new ServiceError(
      'precondition',
      'This review was created by a newer version of the console. Open it there, or download its JSON.',
    )
  const { success, data, error } = schema.safeParse(JSON.parse(content))
  if (success) return data
  throw new Error(`The stored content of review ${id} is not of version ${contentVersion}.`, { cause: error })
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
  content: parseContent(row),
})
