import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { createGlance } from '../../glance/create-glance'
import { createNeutron } from '../../neutron/create-neutron'
import { createNova } from '../../nova/create-nova'
import { createServiceAccount } from '../../session/create-service-account'
import type { ServiceAccount } from '../../session/types'
import { type ClientTarget, configOf, errorOf } from './target'

const asTenant = async (
  target: ClientTarget,
  work: (tenant: { account: ServiceAccount; projectId: string }) => Promise<void>,
): Promise<void> => {
  const account = createServiceAccount(configOf(target, target.credentials.tenant))
  try {
    const { scope } = await account.token('project')
    await work({ account, projectId: scope.kind === 'project' ? scope.id : '' })
  } finally {
    await account.close()
  }
}

/** What a tenant reads before a server is created, and how Nova refuses one. */
export const newServerCases = (target: () => ClientTarget): void => {
  it('lists the images that a tenant may use', () =>
    asTenant(target(), async ({ account }) => {
      const { items, isComplete } = await createGlance({ account }).listImages()
      expect(isComplete).toBe(true)
      expect(items.length).toBeGreaterThan(0)
      for (const image of items) expect(image.id).toMatch(/^[0-9a-f-]{36}$/)
      expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
    }))

  it('lists networks and security groups of the tenant’s project', () =>
    asTenant(target(), async ({ account, projectId }) => {
      const neutron = createNeutron({ account })
      for (const { id } of await neutron.listNetworks(projectId)) expect(id).toMatch(/^[0-9a-f-]{36}$/)
      for (const { id } of await neutron.listSecurityGroups(projectId)) expect(id).toMatch(/^[0-9a-f-]{36}$/)
    }))

  it('lists the tenant’s key pairs, and the limits of the project with their use', () =>
    asTenant(target(), async ({ account }) => {
      const nova = createNova({ account })
      for (const name of await nova.listKeyPairs()) expect(name).not.toBe('')
      const { instances, cores, memoryMib } = await nova.getOwnLimits()
      for (const { limit, used } of [instances, cores, memoryMib]) {
        expect(limit === null || limit >= 0).toBe(true)
        expect(used).toBeGreaterThanOrEqual(0)
      }
    }))

  it('refuses a server with an unknown image, key pair, network or flavor', () =>
    asTenant(target(), async ({ account }) => {
      const nova = createNova({ account })
      const [image] = (await createGlance({ account }).listImages()).items
      const server = {
        name: 'suite',
        flavorId: randomUUID(),
        imageId: image?.id ?? '',
        networks: 'none' as const,
        metadata: {},
      }
      expect(await errorOf(nova.createServer(server))).toMatchObject({ status: 400 })
      const answer = await account.request({ service: 'nova', method: 'GET', path: '/flavors' })
      const { flavors } = answer.json as { flavors: { id: string }[] }
      const known = { ...server, flavorId: flavors[0]?.id ?? '' }
      const wrong = [
        { imageId: randomUUID() },
        { keyName: `suite-${randomUUID()}` },
        { networks: [randomUUID()] },
      ]
      for (const part of wrong)
        expect(await errorOf(nova.createServer({ ...known, ...part })), JSON.stringify(part)).toMatchObject({
          service: 'nova',
          kind: 'http',
          status: 400,
        })
    }))
}
