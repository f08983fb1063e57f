import { planChangeSchema } from '@/lib/schemas/api/change-inputs'
import { changeScopeSchema } from '@/lib/schemas/api/scope'
import { route } from '@/lib/server/http/route'
import { createChange } from '@/lib/services/change/create-change'
import { listChanges } from '@/lib/services/change/list-changes'

export const dynamic = 'force-dynamic'

export const GET = route({ query: changeScopeSchema }, ({ ctx, query }) => listChanges(ctx, query))

export const POST = route({ body: planChangeSchema, status: 201 }, ({ ctx, body }) => createChange(ctx, body))
