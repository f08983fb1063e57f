import 'server-only'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import type { ServiceAccount } from '@/lib/openstack/session/types'

/** Nova's user in Keystone with its roles on the system; or why they are unknown. */
export type NovaUser =
  | { user: { id: string; name: string; domainId: string }; roles: string[]; because: null }
  | { user: null; roles: null; because: string }

type Input = { account: ServiceAccount; name: string; domainId: string | null }

/** Roles that let oslo.limit read: Keystone's default implications make reader of each. */
const READING = ['admin', 'manager', 'member', 'reader']

export const mayReadLimits = ({ roles }: NovaUser): boolean =>
  roles?.some((role) => READING.includes(role)) === true

/** Asks Keystone with the service account. */
export const askNovaUser = async ({ account, name, domainId }: Input): Promise<NovaUser> => {
  const inDomain = domainId === null ? '' : ` in the domain with the ID ${domainId}`
  const unknown = (because: string): NovaUser => ({ user: null, roles: null, because })
  const scope = (await account.hasSystemScope()) ? 'system' : 'project'
  try {
    return await account.withToken(scope, async ({ id: tokenId }) => {
      const ask = { tokenId, name, ...(domainId === null ? {} : { domainId }) }
      const [user, other] = await account.keystone.listUsers(ask)
      if (user === undefined) return unknown(`Keystone has no user ${name}${inDomain}`)
      if (other !== undefined)
        return unknown(`several domains have a user ${name}: enter the ID of its domain`)
      const roles = await account.keystone.listSystemRoles({ tokenId, userId: user.id })
      return { user, roles: roles.map((role) => role.name), because: null }
    })
  } catch (error) {
    if (!isOpenStackError(error)) throw error
    return unknown(error.message)
  }
}
