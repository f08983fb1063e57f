import 'server-only'
import type { ProjectLimit } from '@/lib/domain/cloud/types'
import type { KeystoneList, Token } from '@/lib/openstack/keystone/types'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import { type LimitExecutor, StepFailed } from './step-handlers/step-work'

/** What to call Keystone with, and again with a fresh token when the first was no longer taken. */
type Bearer = <Result>(work: (tokenId: string) => Promise<Result>) => Promise<Result>

const isAdmin = ({ roles }: Token): boolean => roles.some(({ name }) => name === 'admin')

/** The service account's own tokens; the system's where it is admin there, else the project's. */
const accountBearer =
  (account: ServiceAccount): Bearer =>
  async (work) => {
    const isWide = (await account.hasSystemScope()) && isAdmin(await account.token('system'))
    return account.withToken(isWide ? 'system' : 'project', ({ id }) => work(id))
  }

/**
 * Before 2023.1 only a system admin can write limits: if the person is one, a system-scoped token is requested with
 * their token.
 */
const personBearer = (account: ServiceAccount, tokenId: string): Bearer => {
  let wide: Promise<string> | null = null
  const askForSystem = async (): Promise<string> => {
    try {
      const identity = { method: 'token', tokenId } as const
      const token = await account.keystone.authenticate({ identity, scope: { kind: 'system' } })
      return isAdmin(token) ? token.id : tokenId
    } catch (error) {
      // 401: no role on the system. 403: tokens must not be rescoped ([token] allow_rescope_scoped_token).
      if (isOpenStackError(error) && (error.status === 401 || error.status === 403)) return tokenId
      throw error
    }
  }
  return async (work) => {
    wide ??= askForSystem()
    try {
      return await work(await wide)
    } catch (error) {
      wide = null
      throw error
    }
  }
}

const wholeItems = <Item>({ items, incompleteBecause }: KeystoneList<Item>): readonly Item[] => {
  if (incompleteBecause === null) return items
  throw new StepFailed(`${incompleteBecause} A step writes limits only if it can read all of them.`)
}

const HIDDEN_LIMITS =
  'The console cannot read the limits of other projects. Assign the role reader on the system to its service account.'

type Input = {
  account: ServiceAccount
  /** Whose change it is; null: the service account's. */
  tokenId: string | null
}

/**
 * Keystone's limits and roles for the steps of a change: written with the token of the person, read with the service account's,
 * since a project's admin sees only that project's limits before 2026.1.
 */
export const createLimitExecutor = ({ account, tokenId }: Input): LimitExecutor => {
  const { limits, ...keystone } = account.keystone
  const writer = tokenId === null ? accountBearer(account) : personBearer(account, tokenId)
  const reader: Bearer = async (work) =>
    account.withToken((await account.hasSystemScope()) ? 'system' : 'project', ({ id }) => work(id))
  const whole = (rows: readonly ProjectLimit[], own: string | null): boolean =>
    rows.some(({ projectId }) => projectId !== own)
  return {
    listRegistered: () => reader(async (id) => wholeItems(await limits.listRegistered({ tokenId: id }))),
    listProject: async () => {
      const isWide = await account.hasSystemScope()
      const items = wholeItems(await reader((id) => limits.list({ tokenId: id })))
      if (isWide) return items
      const { scope } = await account.token('project')
      const isOpen = whole(items, scope.kind === 'project' ? scope.id : null)
      if (!isOpen) throw new StepFailed(HIDDEN_LIMITS)
      return items
    },
    createRegistered: (rows) => writer((id) => limits.createRegistered({ tokenId: id, limits: rows })),
    updateRegistered: (rowId, defaultLimit) =>
      writer((id) => limits.updateRegistered({ tokenId: id, id: rowId, defaultLimit })),
    removeRegistered: (rowId) => writer((id) => limits.removeRegistered({ tokenId: id, id: rowId })),
    create: (rows) => writer((id) => limits.create({ tokenId: id, limits: rows })),
    update: (rowId, resourceLimit) =>
      writer((id) =>
        reader((readTokenId) => limits.update({ tokenId: id, readTokenId, id: rowId, resourceLimit })),
      ),
    remove: (rowId) => writer((id) => limits.remove({ tokenId: id, id: rowId })),
    listRoles: (name) => reader((id) => keystone.listRoles({ tokenId: id, name })),
    listSystemRoles: (userId) => reader((id) => keystone.listSystemRoles({ tokenId: id, userId })),
    grantSystemRole: (grant) => writer((id) => keystone.grantSystemRole({ tokenId: id, ...grant })),
    revokeSystemRole: (grant) => writer((id) => keystone.revokeSystemRole({ tokenId: id, ...grant })),
  }
}
