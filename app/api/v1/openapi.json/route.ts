import { getRuntime } from '@/lib/server/context/runtime'
import { route } from '@/lib/server/http/route'
import { describeApi } from '@/lib/services/api-description/describe-api'

export const dynamic = 'force-dynamic'

export const GET = route({ admits: 'anyone' }, async () => describeApi({ version: getRuntime().version }))
