import { expect, it } from 'vitest'
import type { RegisteredLimit } from '@/lib/domain/cloud/types'
import type { ServiceAccount } from '../../session/types'
import { type ClientTarget, errorOf, ownName, withAdmin } from './target'

type World = {
  account: ServiceAccount
  tokenId: string
  scope: { serviceId: string; regionId: string; resourceName: string }
  projectId: string
  registered: RegisteredLimit
}

/** A registered limit of 4 for a class that only this test knows. */
const withRegistered = (target: ClientTarget, work: (world: World) => Promise<void>) =>
  withAdmin(target, async ({ account, after }) => {
    const { limits, ...keystone } = account.keystone
    const tokenId = (await account.token('system')).id
    const ids = await account.novaEndpointIds()
    if (ids === null) throw new Error('The catalog has no compute service.')
    const scope = {
      serviceId: ids.serviceId,
      regionId: target.region,
      resourceName: `class:${ownName('LIMIT')}`,
    }
    const projects = (await keystone.listAllProjects({ tokenId })).items
    const project = projects.find(({ name }) => name === target.credentials.tenant.projectName)
    if (project === undefined) throw new Error('The tenant’s project does not exist.')
    const [registered] = await limits.createRegistered({ tokenId, limits: [{ ...scope, defaultLimit: 4 }] })
    if (registered === undefined) throw new Error('Keystone answered no registered limit.')
    after(() => limits.removeRegistered({ tokenId, id: registered.id }))
    after(async () => {
      const { items } = await limits.list({ tokenId, ...scope })
      for (const { id } of items) await limits.remove({ tokenId, id })
    })
    await work({ account, tokenId, scope, projectId: project.id, registered })
  })

export const limitCases = (target: () => ClientTarget): void => {
  it('names its model', () =>
    withAdmin(target(), async ({ account }) => {
      const { id } = await account.token('project')
      const model = await account.keystone.limits.getModel({ tokenId: id })
      expect(['flat', 'strict_two_level']).toContain(model)
    }))

  it('lists a registered limit by its exact region', () =>
    withRegistered(target(), async ({ account, tokenId, scope, registered }) => {
      const { limits } = account.keystone
      const { resourceName } = scope
      expect(registered).toMatchObject({ ...scope, defaultLimit: 4 })
      const [nowhere] = await limits.createRegistered({
        tokenId,
        limits: [{ ...scope, regionId: null, defaultLimit: 1 }],
      })
      try {
        const here = await limits.listRegistered({ tokenId, regionId: scope.regionId, resourceName })
        expect(here.items).toEqual([registered])
        const both = await limits.listRegistered({ tokenId, resourceName })
        expect(both.items).toHaveLength(2)
      } finally {
        await limits.removeRegistered({ tokenId, id: nowhere?.id ?? '' })
      }
    }))

  it('refuses a second one of the same kind with 409', () =>
    withRegistered(target(), async ({ account, tokenId, scope }) => {
      const again = account.keystone.limits.createRegistered({
        tokenId,
        limits: [{ ...scope, defaultLimit: 1 }],
      })
      expect(await errorOf(again)).toMatchObject({ status: 409, kind: 'http' })
    }))

  it('changes a registered limit, to 0 too', () =>
    withRegistered(target(), async ({ account, tokenId, registered }) => {
      const { limits } = account.keystone
      const { id } = registered
      expect(await limits.updateRegistered({ tokenId, id, defaultLimit: 7 })).toMatchObject({
        defaultLimit: 7,
      })
      expect(await limits.updateRegistered({ tokenId, id, defaultLimit: 0 })).toMatchObject({
        defaultLimit: 0,
      })
    }))

  it('neither changes nor deletes a registered limit while a project limit refers to it', () =>
    withRegistered(target(), async ({ account, tokenId, scope, projectId, registered }) => {
      const { limits } = account.keystone
      const { id } = registered
      await limits.create({ tokenId, limits: [{ ...scope, projectId, resourceLimit: 2 }] })
      const change = await errorOf(limits.updateRegistered({ tokenId, id, defaultLimit: 9 }))
      expect(change).toMatchObject({ status: 403, service: 'keystone' })
      expect(change.detail).toContain('project limits associated')
      expect(await errorOf(limits.removeRegistered({ tokenId, id }))).toMatchObject({ status: 403 })
    }))

  it('sets a project limit to a number, to 0 and back', () =>
    withRegistered(target(), async ({ account, tokenId, scope, projectId }) => {
      const { limits } = account.keystone
      const [made] = await limits.create({ tokenId, limits: [{ ...scope, projectId, resourceLimit: 5 }] })
      const three = await limits.update({ tokenId, id: made?.id ?? '', resourceLimit: 3 })
      expect(three).toMatchObject({ id: made?.id, projectId, resourceLimit: 3 })
      const zero = await limits.update({ tokenId, id: three.id, resourceLimit: 0 })
      expect(zero).toMatchObject({ ...scope, projectId, resourceLimit: 0 })
      const two = await limits.update({ tokenId, id: zero.id, resourceLimit: 2 })
      expect(two.resourceLimit).toBe(2)
      const { items } = await limits.list({ tokenId, projectId, resourceName: scope.resourceName })
      expect(items).toEqual([two])
    }))

  it('writes several limits or none', () =>
    withRegistered(target(), async ({ account, tokenId, scope, projectId }) => {
      const { limits } = account.keystone
      const good = { ...scope, projectId, resourceLimit: 1 }
      const bad = { ...good, resourceName: `class:${ownName('LONELY')}` }
      expect(await errorOf(limits.create({ tokenId, limits: [good, bad] }))).toMatchObject({ status: 403 })
      const { items } = await limits.list({ tokenId, projectId, resourceName: scope.resourceName })
      expect(items).toEqual([])
    }))

  it('changes a default after its overrides were taken away, and takes them back', () =>
    withRegistered(target(), async ({ account, tokenId, scope, projectId, registered }) => {
      const { limits } = account.keystone
      const [own] = await limits.create({ tokenId, limits: [{ ...scope, projectId, resourceLimit: 0 }] })
      expect(own).toMatchObject({ resourceLimit: 0 })
      await limits.remove({ tokenId, id: own?.id ?? '' })
      await limits.updateRegistered({ tokenId, id: registered.id, defaultLimit: 6 })
      await limits.create({ tokenId, limits: [{ ...scope, projectId, resourceLimit: 0 }] })
      const { items } = await limits.list({ tokenId, projectId, resourceName: scope.resourceName })
      expect(items.map(({ resourceLimit }) => resourceLimit)).toEqual([0])
    }))

  it('refuses a project limit without a registered one with 403', () =>
    withRegistered(target(), async ({ account, tokenId, scope, projectId }) => {
      const lonely = { ...scope, resourceName: `class:${ownName('LONELY')}`, projectId, resourceLimit: 1 }
      const error = await errorOf(account.keystone.limits.create({ tokenId, limits: [lonely] }))
      expect(error).toMatchObject({ status: 403 })
    }))
}
