import 'server-only'
import { createApiTokenSchema } from '@/lib/schemas/api/api-token-inputs'
import type { CreatedApiToken } from '@/lib/schemas/api/api-tokens'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Connection } from '@/lib/server/database/database'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { newApiToken } from '@/lib/server/secrets/session-secrets'
import { apiTokenOf } from './api-token-row'
import { ownAccount } from './own-account'

const DAY_MS = 24 * 3600_000

/** Of one person in a cloud, and of all persons in a project. Those that expired or were revoked do not count. */
export const MAX_TOKENS = { person: 20, project: 50 } as const

// One creation in a cloud at a time, so that two at once do not both take the last place.
const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))'

type ProjectName = { id: string; name: string }

const checkCount = async (
  { query, prisma }: Connection,
  { cloud, userId, project, now }: { cloud: string; userId: string; project: ProjectName | null; now: Date },
): Promise<void> => {
  await query(LOCK, [`api-token ${cloud}`])
  const usable = { cloud, revokedAt: null, expiresAt: { gt: now } }
  if ((await prisma.apiToken.count({ where: { ...usable, userId } })) >= MAX_TOKENS.person)
    throw new ServiceError(
      'limit',
      `You have ${MAX_TOKENS.person} API tokens, the maximum for one person. Revoke one that you do not need.`,
    )
  if (project === null) return
  if ((await prisma.apiToken.count({ where: { ...usable, projectId: project.id } })) >= MAX_TOKENS.project)
    throw new ServiceError(
      'limit',
      `The project ${project.name} has ${MAX_TOKENS.project} API tokens, the maximum for one project. Revoke one that is not needed, or ask its owner.`,
    )
}

/**
 * Creates a token for scripts with the current role of its creator. Only this answer contains it. It ends when it expires
 * or is revoked, and not with its creator's role, so an admin who removes a role revokes the tokens too.
 */
export const createApiToken = async (
  ctx: ServiceContext,
  { body }: { body: unknown },
): Promise<CreatedApiToken> => {
  requirePermission(ctx, 'api-token.create')
  const { label, access, lifetimeDays } = parseInput(createApiTokenSchema, body)
  const { account, scope, role } = ownAccount(ctx)
  const project = scope.kind === 'project' ? scope : null
  const { secret, hash } = newApiToken()
  const now = ctx.now()
  const expiresAt = new Date(now.getTime() + lifetimeDays * DAY_MS)
  const row = await ctx.database.transaction(async (connection) => {
    const { cloud, userId, userName, userDomain } = account
    await checkCount(connection, { cloud, userId, project, now })
    const created = await connection.prisma.apiToken.create({
      data: {
        hash,
        label,
        cloud,
        userId,
        userName,
        userDomain,
        role,
        access,
        expiresAt,
        scopeKind: scope.kind,
        projectId: project?.id ?? null,
        projectName: project?.name ?? null,
        projectDomain: project?.domain ?? null,
        createdAt: now,
      },
    })
    await writeAudit(connection.query, {
      at: now,
      actor: ctx.actor,
      cloud,
      action: 'api-token.create',
      subject: `api-token:${created.id}`,
      before: null,
      after: { cloud, label, scope, role, access, expiresAt: expiresAt.toISOString() },
    })
    return created
  })
  return { ...apiTokenOf(row, { account, now }), token: secret }
}
