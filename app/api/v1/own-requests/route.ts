import { makeRequestSchema } from '@/lib/schemas/api/quota-request-inputs'
import { route } from '@/lib/server/http/route'
import { makeRequest } from '@/lib/services/quota-request/make-request'
import { listOwnRequests } from '@/lib/services/quota-request/own-requests'

export const dynamic = 'force-dynamic'

export const GET = route({}, ({ ctx }) => listOwnRequests(ctx))

export const POST = route({ body: makeRequestSchema, status: 201 }, ({ ctx, body }) =>
  makeRequest(ctx, { body }),
)
