import 'server-only'
import { refusedStepMs } from '@/lib/domain/demand/refused-points'
import { type RefusedDemandScope, refusedDemandScopeSchema } from '@/lib/schemas/api/refused-demand-inputs'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { requestedRange } from '@/lib/services/capacity/requested-range'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'

const DAY_MS = 24 * 3_600_000

/** What `DURING` takes, with what it means. Times in ms. */
export type RequestedDemand = {
  cloud: Cloud
  from: number
  until: number
  flavor: string | null
  project: string | null
  stepMs: number
  params: unknown[]
}

/** The requested rows of `refused_server`, by the first five parameters. */
export const DURING = `WHERE cloud_id = $1 AND at >= $2::timestamptz AND at < $3::timestamptz
  AND ($4::text IS NULL OR coalesce(flavor_name, '') = $4::text) AND ($5::text IS NULL OR project_id = $5::text)`

/** The step of $6 ms that contains a row: its begin, in ms. */
export const STEP_OF = 'floor(extract(epoch FROM at) * 1000 / $6::float8) * $6::float8'

/** The requested time, flavor and project. */
export const requestedDemand = async (
  ctx: ServiceContext,
  input: RefusedDemandScope,
): Promise<RequestedDemand> => {
  const { cloud: name, days, flavor, project, ...moments } = parseInput(refusedDemandScopeSchema, input)
  if (days !== null && moments.from !== null)
    throw new ServiceError(
      'validation',
      `days is ${days}, but from names the begin: leave one of them out.`,
      {
        field: 'days',
      },
    )
  const cloud = await findCloud(ctx, { cloud: name })
  const end = moments.until === null ? ctx.now().getTime() : Date.parse(moments.until)
  const begin = days === null ? moments.from : new Date(end - days * DAY_MS).toISOString()
  const range = requestedRange(ctx, { ...moments, from: begin })
  const params = [cloud.id, new Date(range.from), new Date(range.until), flavor, project]
  return { cloud, ...range, flavor, project, stepMs: refusedStepMs(range), params }
}
