import 'server-only'
import { type Period, parsePeriod } from '@/lib/domain/review/period'
import {
  type ReviewListScope,
  type ReviewScope,
  reviewListScopeSchema,
  reviewScopeSchema,
} from '@/lib/schemas/api/review-inputs'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { isTimeZone } from '@/lib/util/zone-offset'
import type { ReviewFilter } from './compute-review'
import { isRetained, type KnownRange, loadKnownRange } from './known-range'

const zoneOf = (ctx: ServiceContext, requested: string | null): string => {
  const zone = requested ?? ctx.reviewTimeZone
  if (isTimeZone(zone)) return zone
  throw new ServiceError(
    'validation',
    `zone is "${zone}", but must be a time zone as IANA names it, like Europe/Paris.`,
    {
      field: 'zone',
    },
  )
}

export const findListScope = async (
  ctx: ServiceContext,
  input: ReviewListScope,
): Promise<{ cloud: Cloud; timeZone: string }> => {
  const { cloud, zone } = parseInput(reviewListScopeSchema, input)
  const timeZone = zoneOf(ctx, zone)
  return { cloud: await findCloud(ctx, { cloud }), timeZone }
}

export type FoundScope = { cloud: Cloud; period: Period; filter: ReviewFilter; known: KnownRange }

const refusePeriod = (period: string, rule: string): never => {
  throw new ServiceError('validation', `period is "${period}", but ${rule}.`, { field: 'period' })
}

/**
 * The cloud, period and group of a requested review, with the known facts of the cloud; refuses if no review can be
 * created.
 */
export const findScope = async (ctx: ServiceContext, input: ReviewScope): Promise<FoundScope> => {
  const { cloud: name, period: periodName, zone, by, key } = parseInput(reviewScopeSchema, input)
  const timeZone = zoneOf(ctx, zone)
  const period =
    parsePeriod(periodName, timeZone) ??
    refusePeriod(periodName, 'must be a month such as 2026-10 or a quarter such as 2026-Q4')
  if (by === 'all' && key !== '')
    throw new ServiceError(
      'validation',
      `key is "${key}", but by is "all": name the kind of group with by.`,
      {
        field: 'key',
      },
    )
  const cloud = await findCloud(ctx, { cloud: name })
  const known = await loadKnownRange(ctx.database.query, cloud.id)
  if (known === null)
    throw new ServiceError(
      'precondition',
      'Nothing is known of this cloud yet: its history begins with the first report of a host.',
    )
  if (period.from >= ctx.now().getTime()) refusePeriod(periodName, 'it has not begun')
  if (period.until <= known.from)
    refusePeriod(periodName, `the history begins on ${new Date(known.from).toISOString().slice(0, 10)}`)
  if (!isRetained(period, known))
    refusePeriod(
      periodName,
      `hours are kept from ${new Date(known.hoursFrom).toISOString().slice(0, 10)} on (SLICEBOARD_KEEP_HOURS_DAYS)`,
    )
  return { cloud, period, filter: { by, key }, known }
}
