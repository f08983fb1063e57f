import { expect, it } from 'vitest'
import { createNova } from '../../nova/create-nova'
import { type ClientTarget, errorOf, withAdmin } from './target'

/** What the setup of unified limits queries in addition to the limits themselves. */
export const quotaCases = (target: () => ClientTarget): void => {
  it('reports the quotas of a project by Nova, regardless of its driver', () =>
    withAdmin(target(), async ({ account }) => {
      const { items: projects } = await account.withToken('project', ({ id }) =>
        account.keystone.listAllProjects({ tokenId: id }),
      )
      const tenant = projects.find(({ name }) => name === target().credentials.tenant.projectName)
      const quotas = await createNova({ account }).getQuotas(tenant?.id ?? '')
      for (const value of Object.values(quotas)) expect(value).toBeGreaterThanOrEqual(-1)
      expect(Object.keys(quotas).toSorted()).toEqual(['cores', 'instances', 'memoryMib'])
    }))

  it('finds a user by name and domain, and no one by a name that no one has', () =>
    withAdmin(target(), async ({ account }) => {
      const own = await account.token('project')
      const { name, domainId, id } = own.user
      const find = (input: { name: string; domainId?: string }) =>
        account.keystone.listUsers({ tokenId: own.id, ...input })
      expect(await find({ name, domainId })).toEqual([{ id, name, domainId }])
      expect(await find({ name: 'nobody-is-called-so' })).toEqual([])
    }))

  it('gives a role on the system, twice without harm, and takes it back once', () =>
    withAdmin(target(), async ({ account, after }) => {
      const { keystone } = account
      const tokenId = (await account.token('system')).id
      const { userName } = target().credentials.tenant
      const [user] = await keystone.listUsers({ tokenId, name: userName })
      const role = (await keystone.listRoles({ tokenId, name: 'reader' })).find(
        ({ name }) => name === 'reader',
      )
      if (user === undefined || role === undefined) throw new Error('no such user, or no role reader')
      const grant = { tokenId, userId: user.id, roleId: role.id }
      expect(await keystone.listSystemRoles(grant)).not.toContainEqual(role)
      after(() => keystone.revokeSystemRole(grant))
      await keystone.grantSystemRole(grant)
      await keystone.grantSystemRole(grant)
      expect(await keystone.listSystemRoles(grant)).toContainEqual(role)
      await keystone.revokeSystemRole(grant)
      expect(await keystone.listSystemRoles(grant)).not.toContainEqual(role)
      expect(await errorOf(keystone.revokeSystemRole(grant))).toMatchObject({ status: 404 })
    }))

  it('refuses roles on the system of a user that does not exist with 404', () =>
    withAdmin(target(), async ({ account }) => {
      const { id: tokenId } = await account.token('system')
      const error = await errorOf(account.keystone.listSystemRoles({ tokenId, userId: 'f'.repeat(32) }))
      expect(error).toMatchObject({ service: 'keystone', status: 404 })
    }))
}
