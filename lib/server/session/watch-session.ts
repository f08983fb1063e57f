import type { SessionEndReason } from '@/lib/schemas/states'
import 'server-only'
import { consoleRoleOf, isLesserRole } from '@/lib/domain/access/console-roles'
import type { Token } from '@/lib/openstack/keystone/types'
import { writeAudit } from '@/lib/server/audit/audit'
import type { Runtime } from '@/lib/server/context/runtime'
import { findSignInCloud, type SignIn } from '@/lib/server/context/sign-in'
import type { Session } from '../prisma-client/client'
import { actorName, rolesOf } from './account-actor'
import { endSession } from './session-store'
import { openToken } from './session-tokens'

/**
 * How often a session's token is validated with Keystone: a user may have been disabled, or lost a role, in the meantime.
 */
const CHECK_PAUSE_MS = 5 * 60_000

const end = (runtime: Runtime, row: Session, reason: SessionEndReason): Promise<void> =>
  runtime.database.transaction(async ({ query, prisma }) => {
    const now = runtime.now()
    // With another role the session has new tokens, and the previous ones were revoked, so their validation does not
    // concern it.
    if (!(await endSession({ prisma }, { id: row.id, hash: row.hash, reason, now }))) return
    await writeAudit(query, {
      at: now,
      actor: { kind: 'system' },
      cloud: row.cloud,
      action: 'session.end',
      subject: `session:${row.id}`,
      before: { cloud: row.cloud, user: actorName(row) },
      after: { reason },
    })
  })

/**
 * Keystone returns the current roles with each validation; a user with additional roles gets them by choosing a project
 * or the system again.
 */
const hasLostRole = ({ roleNames }: SignIn, row: Session, { scope, roles }: Token): boolean => {
  if (scope.kind !== 'project' && scope.kind !== 'system') return false
  const role = consoleRoleOf({ scope: scope.kind, roles: roles.map(({ name }) => name), names: roleNames })
  return isLesserRole(role, rolesOf(row.role)[0] ?? null)
}

const check = async (runtime: Runtime, signIn: SignIn, row: Session): Promise<void> => {
  const claimed = await runtime.database.prisma.session.updateMany({
    where: { id: row.id, checkedAt: row.checkedAt, hash: row.hash, endedAt: null },
    data: { checkedAt: runtime.now() },
  })
  const keystone = findSignInCloud(signIn, row.cloud)?.keystone
  if (claimed.count === 0 || keystone === undefined) return
  const tokenId = openToken(signIn, row, row.scopedToken === null ? 'unscoped' : 'scoped')
  if (tokenId === null) return end(runtime, row, 'secret-changed')
  const token = await keystone.validate({ tokenId })
  if (token === null || hasLostRole(signIn, row, token)) await end(runtime, row, 'refused')
}

/** Looks after a session in use, without making its request wait. Keystone that does not answer ends nothing. */
export const watchSession = (runtime: Runtime, signIn: SignIn, row: Session): void => {
  if (runtime.now().getTime() - row.checkedAt.getTime() < CHECK_PAUSE_MS) return
  check(runtime, signIn, row).catch((err: unknown) => {
    runtime.log.warn({ err, sessionId: row.id }, 'A session could not be checked with Keystone')
  })
}
