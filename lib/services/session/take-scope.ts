import type { Role } from '@/lib/schemas/roles'
import 'server-only'
import { consoleRoleOf } from '@/lib/domain/access/console-roles'
import type { ChooseScope } from '@/lib/schemas/api/session-inputs'
import type { AccountScope } from '@/lib/server/context/service-context'
import type { SignIn, SignInCloud } from '@/lib/server/context/sign-in'
import { ServiceError } from '@/lib/server/errors/service-error'
import { isRefusal, tokenRefused } from './sign-in-error'

export type TakenScope = {
  scope: AccountScope
  role: Role
  keystoneRoles: string[]
  /** Secret. */
  tokenId: string
  tokenExpiresAt: Date
}

const describeChoice = (choice: ChooseScope): string =>
  choice.kind === 'system' ? 'the system' : `the project ${choice.id}`

type Input = { signIn: SignIn; cloud: SignInCloud; unscopedId: string; choice: ChooseScope; now: Date }

const rescope = async ({ cloud, unscopedId, choice }: Omit<Input, 'now'>) => {
  try {
    return await cloud.keystone.authenticate({
      identity: { method: 'token', tokenId: unscopedId },
      scope: choice.kind === 'system' ? { kind: 'system' } : { kind: 'project', project: { id: choice.id } },
    })
  } catch (error) {
    if (!isRefusal(error)) throw tokenRefused(error, cloud.name)
    // Keystone answers 401 for a missing role and for an invalid token; validating the token distinguishes them.
    const isAlive = (await cloud.keystone.validate({ tokenId: unscopedId })) !== null
    if (!isAlive) throw tokenRefused(error, cloud.name)
    throw new ServiceError(
      'forbidden',
      `You no longer have a role on ${describeChoice(choice)}. Select another scope.`,
      {
        cause: error,
      },
    )
  }
}

/** Trades the unscoped token for one of a project or of the system, and reads the console's role from it. */
export const takeScope = async (input: Input): Promise<TakenScope> => {
  const token = await rescope(input)
  const keystoneRoles = token.roles.map(({ name }) => name).sort()
  if (token.scope.kind !== 'project' && token.scope.kind !== 'system') {
    throw new ServiceError(
      'upstream',
      `Keystone of ${input.cloud.name} returned a token of another scope than requested: ${describeChoice(input.choice)}.`,
    )
  }
  const role = consoleRoleOf({ scope: token.scope.kind, roles: keystoneRoles, names: input.signIn.roleNames })
  if (role === null) {
    throw new ServiceError(
      'forbidden',
      `Your roles on ${describeChoice(input.choice)} (${keystoneRoles.join(', ') || 'none'}) give no access here. Select a project, or ask an admin for the role reader on the system.`,
    )
  }
  const scope: AccountScope =
    token.scope.kind === 'system'
      ? { kind: 'system' }
      : { kind: 'project', id: token.scope.id, name: token.scope.name, domain: token.scope.domainName }
  return {
    scope,
    role,
    keystoneRoles,
    tokenId: token.id,
    tokenExpiresAt: new Date(input.now.getTime() + token.remainingMs),
  }
}
