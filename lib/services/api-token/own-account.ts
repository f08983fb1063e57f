import type { Role } from '@/lib/schemas/roles'
import 'server-only'
import type { Account, AccountScope, ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'

/** The account whose tokens are meant. For services that have checked the caller's permission. */
export const ownAccount = ({
  actor,
}: Pick<ServiceContext, 'actor'>): { account: Account; scope: AccountScope; role: Role } => {
  const account = actor.kind === 'user' ? actor.account : undefined
  const [role] = actor.kind === 'user' ? actor.roles : []
  if (account === undefined || account.scope === null || role === undefined) {
    throw new ServiceError(
      'precondition',
      'This console runs without sign-in, so it needs no API tokens: every user of this machine is an admin.',
    )
  }
  return { account, scope: account.scope, role }
}
