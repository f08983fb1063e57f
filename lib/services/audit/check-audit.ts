import 'server-only'
import type { AuditChain } from '@/lib/schemas/api/audit'
import { verifyAudit } from '@/lib/server/audit/verify-audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'

/**
 * Verifies the whole chain, as `npm run audit:verify` does. The answer contains nothing of the entries of other clouds.
 */
export const checkAudit = async (ctx: ServiceContext): Promise<AuditChain> => {
  requirePermission(ctx, 'audit.read')
  const verdict = await verifyAudit(ctx.database.query)
  return { checkedAt: ctx.now().toISOString(), ...verdict }
}
