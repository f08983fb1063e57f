import { savedViewParamsSchema, updateSavedViewSchema } from '@/lib/schemas/api/saved-view'
import { route } from '@/lib/server/http/route'
import { deleteSavedView } from '@/lib/services/saved-view/delete-saved-view'
import { updateSavedView } from '@/lib/services/saved-view/update-saved-view'

export const dynamic = 'force-dynamic'

export const PUT = route(
  { params: savedViewParamsSchema, body: updateSavedViewSchema },
  ({ ctx, params, body }) => updateSavedView(ctx, { ...params, body }),
)

export const DELETE = route({ params: savedViewParamsSchema }, ({ ctx, params }) =>
  deleteSavedView(ctx, params),
)
