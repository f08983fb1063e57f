import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { createApiTokenSchema } from '@/lib/schemas/api/api-token-inputs'
import type { CreatedApiToken } from '@/lib/schemas/api/api-tokens'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Query } from '@/lib/server/database/database'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { ApiToken as Row } from '@/lib/server/prisma-client/client'
import { newApiToken } from '@/lib/server/secrets/session-secrets'
import { API_TOKEN_COLUMNS } from './api-token-columns'
import { apiTokenOf } from './api-token-row'
import { ownAccount } from './own-account'

const DAY_MS = 24 * 3600_000

/** Of one person in a cloud, and of all persons in a project. Those that expired or were revoked do not count. */
export const MAX_TOKENS = { person: 20, project: 50 } as const

// One creation in a cloud at a time, so that two at once do not both take the last place.
const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))'

const COUNT_USABLE = `
SELECT (count(*) FILTER (WHERE user_id = $2))::int AS person, (count(*) FILTER (WHERE project_id = $3))::int AS project
FROM api_token WHERE cloud = $1 AND revoked_at IS NULL AND expires_at > $4::timestamptz`

const checkCount = async (
  query: Query,
  { cloud, userId, project, now }: { cloud: string; userId: string; project: ProjectName | null; now: Date },
): Promise<void> => {
  await query(LOCK, [`api-token ${cloud}`])
  const [count] = await query(
    COUNT_USABLE,
    [cloud, userId, project?.id ?? null, now],
    uncheckedRow<{ person: number; project: number }>(),
  )
  if ((count?.person ?? 0) >= MAX_TOKENS.person)
    throw new ServiceError(
      'limit',
      `You have ${MAX_TOKENS.person} API tokens, the maximum for one person. Revoke one that you do not need.`,
    )
  if (project !== null && (count?.project ?? 0) >= MAX_TOKENS.project)
    throw new ServiceError(
      'limit',
      `The project ${project.name} has ${MAX_TOKENS.project} API tokens, the maximum for one project. Revoke one that is not needed, or ask its owner.`,
    )
}

type ProjectName = { id: string; name: string }

const INSERT = `
INSERT INTO api_token (hash, label, cloud, user_id, user_name, user_domain, scope_kind, project_id, project_name,
  project_domain, role, access, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::timestamptz, $14::timestamptz)
RETURNING ${API_TOKEN_COLUMNS}`

/**
 * A token for scripts with the role that its maker has now. It is shown in the answer and nowhere else. It ends when it
 * expires or is revoked, not with its maker's role: whoever takes a role away revokes the tokens too.
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
  const row = await ctx.database.transaction(async ({ query }) => {
    const { cloud, userId, userName, userDomain } = account
    await checkCount(query, { cloud, userId, project, now })
    const [created] = await query(
      INSERT,
      [
        ...[hash, label, cloud, userId, userName, userDomain, scope.kind],
        ...[project?.id ?? null, project?.name ?? null, project?.domain ?? null],
        ...[role, access, now, expiresAt],
      ],
      uncheckedRow<Row>(),
    )
    if (created === undefined) throw new Error('INSERT with RETURNING gave no row')
    await writeAudit(query, {
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
