import { expect, it } from 'vitest'
import { createServiceAccount } from '../../session/create-service-account'
import { type ClientTarget, configOf, errorOf, withAdmin } from './target'

const passwordIdentity = (target: ClientTarget, password = target.credentials.admin.password) => {
  const { userName, userDomain } = target.credentials.admin
  return { method: 'password', user: { name: userName, domain: { name: userDomain } }, password } as const
}

export const keystoneCases = (target: () => ClientTarget): void => {
  it('gives a project-scoped token with roles, catalog and a time to live', () =>
    withAdmin(target(), async ({ account }) => {
      const token = await account.token('project')
      expect(token.scope).toMatchObject({
        kind: 'project',
        name: target().credentials.admin.projectName,
        domainName: target().credentials.admin.userDomain,
      })
      expect(token.roles.map((role) => role.name)).toContain('admin')
      const types = token.catalog.map((entry) => entry.type)
      expect(types).toEqual(expect.arrayContaining(['identity', 'compute', 'placement']))
      expect(Date.parse(token.expiresAt)).toBeGreaterThan(Date.parse(token.issuedAt))
    }))

  it('gives a system-scoped token and reports that the account has the scope', () =>
    withAdmin(target(), async ({ account }) => {
      expect(await account.hasSystemScope()).toBe(true)
      expect((await account.token('system')).scope).toEqual({ kind: 'system' })
    }))

  it('refuses a wrong password with 401', () =>
    withAdmin(target(), async ({ account }) => {
      const identity = passwordIdentity(target(), 'certainly-not-this-one')
      const error = await errorOf(account.keystone.authenticate({ identity, scope: { kind: 'unscoped' } }))
      expect(error).toMatchObject({ kind: 'auth', service: 'keystone', status: 401 })
      expect(error.message).not.toContain('certainly-not-this-one')
      expect(error.requestId).toMatch(/^req-/)
    }))

  it('leads from an unscoped token over the list of projects to a project', () =>
    withAdmin(target(), async ({ account }) => {
      const { keystone } = account
      const unscoped = await keystone.authenticate({
        identity: passwordIdentity(target()),
        scope: { kind: 'unscoped' },
      })
      expect(unscoped.scope).toEqual({ kind: 'unscoped' })
      const projects = await keystone.listProjects(unscoped.id)
      const project = projects.find(({ name }) => name === target().credentials.admin.projectName)
      if (project === undefined) throw new Error('The admin’s project is not in its list.')
      const scoped = await keystone.authenticate({
        identity: { method: 'token', tokenId: unscoped.id },
        scope: { kind: 'project', project: { id: project.id } },
      })
      expect(scoped.scope).toMatchObject({ kind: 'project', id: project.id })
    }))

  it('refuses a scope without a role with 401, not 403', async () => {
    const account = createServiceAccount(configOf(target(), target().credentials.tenant))
    try {
      expect(await account.hasSystemScope()).toBe(false)
      expect(await errorOf(account.token('system'))).toMatchObject({ kind: 'auth', status: 401 })
    } finally {
      await account.close()
    }
  })

  it('validates a token until it is revoked', () =>
    withAdmin(target(), async ({ account }) => {
      const { keystone } = account
      const token = await keystone.authenticate({
        identity: passwordIdentity(target()),
        scope: { kind: 'unscoped' },
      })
      expect(await keystone.validate({ tokenId: token.id })).toMatchObject({ user: { id: token.user.id } })
      await keystone.revoke({ tokenId: token.id })
      expect(await keystone.validate({ tokenId: token.id })).toBeNull()
      await keystone.revoke({ tokenId: token.id })
    }))

  it('renews a token that was revoked under it', () =>
    withAdmin(target(), async ({ account, placement }) => {
      await placement.listResourceClasses()
      const token = await account.token('project')
      await account.keystone.revoke({ tokenId: token.id })
      // Placement may believe a token for a while after; either way it answers.
      expect(await placement.listResourceClasses()).toContain('VGPU')
    }))

  it('shows all projects to an admin, and refuses them to a tenant with 403', async () => {
    await withAdmin(target(), async ({ account }) => {
      const token = await account.token('project')
      const list = await account.keystone.listAllProjects({ tokenId: token.id })
      expect(list.incompleteBecause).toBeNull()
      const names = list.items.map(({ name }) => name)
      expect(names).toContain(target().credentials.admin.projectName)
      expect(names).toContain(target().credentials.tenant.projectName)
    })
    const account = createServiceAccount(configOf(target(), target().credentials.tenant))
    try {
      const { id } = await account.token('project')
      expect(await errorOf(account.keystone.listAllProjects({ tokenId: id }))).toMatchObject({ status: 403 })
      const own = await account.keystone.listProjects(id)
      expect(own.map(({ name }) => name)).toContain(target().credentials.tenant.projectName)
    } finally {
      await account.close()
    }
  })

  it('reads projects and users to their end, each once', () =>
    withAdmin(target(), async ({ account }) => {
      const { keystone } = account
      const tokenId = (await account.token('project')).id
      const { items, incompleteBecause } = await keystone.listAllProjects({ tokenId })
      expect(incompleteBecause).toBeNull()
      expect(items.length).toBeGreaterThan(2)
      expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
      const { userName } = target().credentials.tenant
      const users = await keystone.listUsers({ tokenId, name: userName })
      expect(users.map(({ name }) => name)).toEqual([userName])
      expect(await keystone.listRoles({ tokenId, name: 'admin' })).toHaveLength(1)
    }))

  it('lists regions, services and endpoints, and reports its version', () =>
    withAdmin(target(), async ({ account }) => {
      const { keystone } = account
      const tokenId = (await account.token('project')).id
      expect((await keystone.listRegions({ tokenId })).map(({ id }) => id)).toContain(target().region)
      const services = await keystone.listServices({ tokenId })
      const compute = services.find(({ type }) => type === 'compute')
      const endpoints = await keystone.listEndpoints({ tokenId })
      expect(endpoints.some(({ serviceId }) => serviceId === compute?.id)).toBe(true)
      expect(await account.novaEndpointIds()).toEqual({ serviceId: compute?.id, regionId: target().region })
      expect(await keystone.version()).toMatch(/^3\.\d+$/)
    }))
}
