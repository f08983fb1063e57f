import { route } from '@/lib/server/http/route'
import { checkAudit } from '@/lib/services/audit/check-audit'

export const dynamic = 'force-dynamic'

export const GET = route({}, ({ ctx }) => checkAudit(ctx))
