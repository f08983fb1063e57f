import { createSavedViewSchema } from '@/lib/schemas/api/saved-view'
import { cloudScopeSchema } from '@/lib/schemas/api/scope'
import { route } from '@/lib/server/http/route'
import { createSavedView } from '@/lib/services/saved-view/create-saved-view'
import { listSavedViews } from '@/lib/services/saved-view/list-saved-views'

export const dynamic = 'force-dynamic'

export const GET = route({ query: cloudScopeSchema }, ({ ctx, query }) => listSavedViews(ctx, query))

export const POST = route({ body: createSavedViewSchema, status: 201 }, ({ ctx, body }) =>
  createSavedView(ctx, { body }),
)
