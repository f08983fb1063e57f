import { catalogWatchParamsSchema } from '@/lib/schemas/api/catalog'
import { route } from '@/lib/server/http/route'
import { endWatch, watchFlavor } from '@/lib/services/catalog/watch-flavor'

export const dynamic = 'force-dynamic'

export const PUT = route({ params: catalogWatchParamsSchema }, ({ ctx, params }) => watchFlavor(ctx, params))

export const DELETE = route({ params: catalogWatchParamsSchema }, ({ ctx, params }) => endWatch(ctx, params))
