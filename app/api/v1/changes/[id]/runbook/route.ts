import { changeParamsSchema, runbookParamsSchema } from '@/lib/schemas/api/change-inputs'
import { attachment } from '@/lib/server/http/attachment'
import { route } from '@/lib/server/http/route'
import { getRunbook } from '@/lib/services/change/get-runbook'

export const dynamic = 'force-dynamic'

export const GET = route(
  { params: changeParamsSchema, query: runbookParamsSchema },
  async ({ ctx, params, query }) => attachment(await getRunbook(ctx, { ...params, ...query })),
)
