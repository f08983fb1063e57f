import { cloudScopeSchema } from '@/lib/schemas/api/scope'
import { route } from '@/lib/server/http/route'
import { getCloudReading } from '@/lib/services/cloud-reading/get-cloud-reading'

export const dynamic = 'force-dynamic'

export const GET = route({ query: cloudScopeSchema }, ({ ctx, query }) => getCloudReading(ctx, query))
