import { auditScopeSchema } from '@/lib/schemas/api/audit-inputs'
import { route } from '@/lib/server/http/route'
import { listAudit } from '@/lib/services/audit/list-audit'

export const dynamic = 'force-dynamic'

export const GET = route({ query: auditScopeSchema }, ({ ctx, query }) => listAudit(ctx, query))
