import { findingParamsSchema } from '@/lib/schemas/api/finding-inputs'
import { route } from '@/lib/server/http/route'
import { getFinding } from '@/lib/services/finding/get-finding'

export const dynamic = 'force-dynamic'

export const GET = route({ params: findingParamsSchema }, ({ ctx, params }) => getFinding(ctx, params))
