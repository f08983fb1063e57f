import 'server-only'
import { createJoinTokenSchema } from '@/lib/schemas/api/agent-inputs'
import type { CreatedJoinToken } from '@/lib/schemas/api/agents'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { newJoinToken } from '@/lib/server/secrets/agent-secrets'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import type { Encoded } from '@/lib/util/encode/encoded'
import { sh, shellWord } from '@/lib/util/encode/shell'
import { joinTokenOf } from './join-token-row'

/**
 * The line to run on a host. The script that it fetches knows the console's address and the agent's checksum, and prompts for the
 * join token on the terminal: a token in the line would be in the shell's history and in the process list.
 */
const installCommand = ({
  origin,
  hostName,
}: {
  origin: string
  hostName: string | null
}): Encoded<'shell'> => {
  const fetched = sh`curl -fsSL ${shellWord(`${origin}/install.sh`)} | sudo sh`
  return hostName === null ? fetched : sh`${fetched} -s -- --hostname ${shellWord(hostName)}`
}

/** A token to enrol hosts with. It is shown in the answer and nowhere else; `origin` is the console as the caller sees it. */
export const createJoinToken = async (
  ctx: ServiceContext,
  input: { body: unknown; origin: string },
): Promise<CreatedJoinToken> => {
  requirePermission(ctx, 'join-token.create')
  const {
    cloud: cloudName,
    label,
    lifetimeMinutes,
    maxUses,
    hostName,
  } = parseInput(createJoinTokenSchema, input.body)
  const cloud = await findCloud(ctx, { cloud: cloudName })
  const { token, hash } = newJoinToken()
  const now = ctx.now()
  const expiresAt = new Date(now.getTime() + lifetimeMinutes * 60_000)
  const row = await ctx.database.transaction(async ({ query, prisma }) => {
    const created = await prisma.joinToken.create({
      data: {
        cloudId: cloud.id,
        hash,
        label,
        hostName,
        maxUses,
        expiresAt,
        createdBy: describeActor(ctx.actor),
        createdAt: now,
      },
    })
    await writeAudit(query, {
      at: now,
      actor: ctx.actor,
      cloud: cloud.name,
      action: 'join-token.create',
      subject: `join-token:${created.id}`,
      before: null,
      after: { cloud: cloud.name, label, hostName, maxUses, expiresAt: expiresAt.toISOString() },
    })
    return created
  })
  return {
    ...joinTokenOf(row, now),
    token,
    installCommand: installCommand({ origin: input.origin, hostName }),
  }
}
