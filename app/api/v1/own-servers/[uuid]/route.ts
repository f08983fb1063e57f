import { ownServerParamsSchema } from '@/lib/schemas/api/create-server-inputs'
import { route } from '@/lib/server/http/route'
import { getNewServer } from '@/lib/services/create-server/get-new-server'

export const dynamic = 'force-dynamic'

export const GET = route({ params: ownServerParamsSchema }, ({ ctx, params }) => getNewServer(ctx, params))
