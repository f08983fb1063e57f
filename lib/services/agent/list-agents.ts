import 'server-only'
import * as z from 'zod'
import { CONTRACT_REVISION } from '@/lib/schemas/agent/revision'
import type { Agent, AgentSettings } from '@/lib/schemas/api/agents'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { listEnrollmentRequests } from '@/lib/services/enrollment-request/list-enrollment-requests'
import { isSilent } from '@/lib/services/fleet/silence'
import { listJoinTokens } from '@/lib/services/join-token/list-join-tokens'

// SQL: Prisma cannot join on the host's current enrolment.
const LIST_AGENTS = `
SELECT c.id AS "credentialId", h.name AS host, h.agent_version AS "agentVersion",
  h.contract_revision AS "contractRevision", c.created_at AS "enrolledAt",
  c.last_used_at AS "lastUsedAt", c.revoked_at AS "revokedAt",
  CASE WHEN h.boot > 0 THEN h.seen_at END AS "seenAt"
FROM current_host h JOIN agent_credential c ON c.host_id = h.id AND c.enrolment = h.enrolment
WHERE h.cloud_id = $1 ORDER BY h.name`

const agentRow = z.object({
  credentialId: z.int(),
  host: z.string(),
  agentVersion: z.string().nullable(),
  contractRevision: z.int(),
  enrolledAt: z.date(),
  lastUsedAt: z.date().nullable(),
  revokedAt: z.date().nullable(),
  seenAt: z.date().nullable(),
})

const stateOf = (ctx: ServiceContext, row: z.infer<typeof agentRow>): Agent['state'] => {
  if (row.revokedAt !== null) return 'revoked'
  if (row.seenAt === null) return 'never-reported'
  return isSilent(ctx, row.seenAt) ? 'silent' : 'active'
}

/** The hosts' agents and the join tokens of a cloud. */
export const listAgents = async (ctx: ServiceContext, input: CloudScope): Promise<AgentSettings> => {
  requirePermission(ctx, 'agent.list')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const rows = await ctx.database.query(LIST_AGENTS, [cloud.id], agentRow)
  return {
    cloud: cloud.name,
    agents: rows.map((row) => ({
      credentialId: row.credentialId,
      host: row.host,
      agentVersion: row.agentVersion,
      isNewer: row.contractRevision > CONTRACT_REVISION,
      enrolledAt: row.enrolledAt.toISOString(),
      lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
      seenAt: row.seenAt?.toISOString() ?? null,
      state: stateOf(ctx, row),
    })),
    joinTokens: await listJoinTokens(ctx, cloud),
    enrollmentRequests: await listEnrollmentRequests(ctx.database.query, {
      cloudId: cloud.id,
      now: ctx.now(),
    }),
  }
}
