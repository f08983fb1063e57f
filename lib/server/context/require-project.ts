import 'server-only'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Account, AccountScope, ServiceContext } from './service-context'

/** A person who works in a project, and that project. */
export type ProjectMember = Omit<Account, 'scope'> & { scope: Extract<AccountScope, { kind: 'project' }> }

export const isOfProject = ({ actor }: Pick<ServiceContext, 'actor'>): boolean =>
  actor.kind === 'user' && actor.account?.scope?.kind === 'project'

/** The project whose things a tenant's service may tell: the one of the sign-in, and none that a request names. */
export const requireProject = ({ actor }: Pick<ServiceContext, 'actor'>): ProjectMember => {
  const account = actor.kind === 'user' ? actor.account : undefined
  if (account?.scope?.kind === 'project') return { ...account, scope: account.scope }
  throw new ServiceError(
    'precondition',
    'This page is about one project: take one up by "Switch project" in the menu with your name.',
  )
}
