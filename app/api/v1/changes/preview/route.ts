import { planChangeSchema } from '@/lib/schemas/api/change-inputs'
import { route } from '@/lib/server/http/route'
import { previewChange } from '@/lib/services/change/preview-change'

export const dynamic = 'force-dynamic'

export const POST = route({ body: planChangeSchema }, ({ ctx, body }) => previewChange(ctx, body))
