import { route } from '@/lib/server/http/route'
import { getHealth } from '@/lib/services/health/get-health'

export const dynamic = 'force-dynamic'

export const GET = route({ admits: 'anyone' }, ({ ctx }) => getHealth(ctx))
