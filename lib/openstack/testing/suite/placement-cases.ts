import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { createPlacement } from '../../placement/create-placement'
import type { PlacementClient } from '../../placement/types'
import { createServiceAccount } from '../../session/create-service-account'
import { createOwnTree, INVENTORY, type OwnTree } from './own-tree'
import { type ClientTarget, configOf, errorOf, ownName, withAdmin } from './target'

export const withTree = (
  target: ClientTarget,
  work: (world: { placement: PlacementClient; tree: OwnTree }) => Promise<void>,
): Promise<void> =>
  withAdmin(target, async ({ account, placement, after }) => {
    const { scope, user } = await account.token('project')
    const projectId = scope.kind === 'project' ? scope.id : ''
    const tree = await createOwnTree({ placement, projectId, userId: user.id, after })
    await work({ placement, tree })
  })

export const placementCases = (target: () => ClientTarget): void => {
  it('agrees on microversion 1.39', () =>
    withAdmin(target(), async ({ placement }) => {
      expect(await placement.maxVersion()).toBe('1.39')
      expect(await placement.version()).toBe('1.39')
    }))

  it('refuses everything to a tenant with 403', async () => {
    const account = createServiceAccount(configOf(target(), target().credentials.tenant))
    try {
      expect(await errorOf(createPlacement({ account }).listProviders())).toMatchObject({
        kind: 'http',
        status: 403,
      })
    } finally {
      await account.close()
    }
  })

  it('lists a tree by any of its providers', () =>
    withTree(target(), async ({ placement, tree }) => {
      const { root, child } = tree
      const inTree = await placement.listProviders({ inTree: child.uuid })
      expect(new Map(inTree.map((provider) => [provider.uuid, provider.parentUuid]))).toEqual(
        new Map([
          [root.uuid, null],
          [child.uuid, root.uuid],
        ]),
      )
      expect(inTree.every((provider) => provider.rootUuid === root.uuid)).toBe(true)
      const all = await placement.listProviders()
      expect(all.map((provider) => provider.uuid)).toEqual(expect.arrayContaining([root.uuid, child.uuid]))
      expect(await placement.listProviders({ name: child.name })).toHaveLength(1)
    }))

  it('keeps names of providers unique, and parents while they have children', () =>
    withTree(target(), async ({ placement, tree }) => {
      const again = placement.createProvider({ uuid: randomUUID(), name: tree.root.name })
      expect(await errorOf(again)).toMatchObject({ status: 409, code: 'placement.duplicate_name' })
      expect(await errorOf(placement.deleteProvider(tree.root.uuid))).toMatchObject({
        status: 409,
        code: 'placement.resource_provider.cannot_delete_parent',
      })
    }))

  it('replaces inventories under a current generation only', () =>
    withTree(target(), async ({ placement, tree }) => {
      const { child, className } = tree
      const before = await placement.getInventories(child.uuid)
      expect(before.inventories).toEqual({ [className]: INVENTORY })
      const inventories = { [className]: { ...INVENTORY, total: 6, maxUnit: 6 } }
      const after = await placement.putInventories(child.uuid, { ...before, inventories })
      expect(after).toEqual({ generation: before.generation + 1, inventories })
      const stale = placement.putInventories(child.uuid, { ...before, inventories })
      expect(await errorOf(stale)).toMatchObject({ status: 409, code: 'placement.concurrent_update' })
    }))

  it('refuses a total of 0 and an unknown class with 400', () =>
    withTree(target(), async ({ placement, tree }) => {
      const { child, className } = tree
      const { generation } = await placement.getInventories(child.uuid)
      const put = (inventories: Record<string, typeof INVENTORY>) =>
        errorOf(placement.putInventories(child.uuid, { generation, inventories }))
      expect(await put({ [className]: { ...INVENTORY, total: 0 } })).toMatchObject({ status: 400 })
      expect(await put({ [ownName('NO_CLASS')]: INVENTORY })).toMatchObject({ status: 400 })
    }))

  it('replaces the whole list of traits, knows no trait that was not made, and counts no change twice', () =>
    withTree(target(), async ({ placement, tree }) => {
      const { uuid } = tree.child
      const before = await placement.getTraits(uuid)
      const unknown = placement.putTraits(uuid, { ...before, traits: [ownName('NO_TRAIT')] })
      expect(await errorOf(unknown)).toMatchObject({ status: 400 })
      const first = await placement.putTraits(uuid, { ...before, traits: [tree.trait, 'COMPUTE_NODE'] })
      expect([...first.traits].sort()).toEqual([tree.trait, 'COMPUTE_NODE'].sort())
      expect(first.generation).toBe(before.generation + 1)
      const second = await placement.putTraits(uuid, { ...first, traits: [tree.trait] })
      expect(second.traits).toEqual([tree.trait])
      const same = await placement.putTraits(uuid, { ...second, traits: [tree.trait] })
      expect(same.generation).toBe(second.generation)
      const stale = placement.putTraits(uuid, { ...before, traits: [] })
      expect(await errorOf(stale)).toMatchObject({ status: 409, code: 'placement.concurrent_update' })
      expect(await errorOf(placement.deleteTrait(tree.trait))).toMatchObject({ status: 409 })
      expect(await placement.listTraits({ prefix: tree.trait, isAssociated: true })).toEqual([tree.trait])
    }))

  it('makes traits and classes again without complaint, and refuses names that are not CUSTOM_', () =>
    withTree(target(), async ({ placement, tree }) => {
      await placement.createTrait(tree.trait)
      await placement.createResourceClass(tree.className)
      expect(await placement.listResourceClasses()).toEqual(expect.arrayContaining(['VGPU', tree.className]))
      expect(await errorOf(placement.createTrait('SUITE_NOT_CUSTOM'))).toMatchObject({ status: 400 })
      expect(await errorOf(placement.createResourceClass('SUITE_NOT_CUSTOM'))).toMatchObject({ status: 400 })
    }))

  it('keeps aggregates of a provider', () =>
    withTree(target(), async ({ placement, tree }) => {
      const before = await placement.getAggregates(tree.root.uuid)
      const aggregateUuids = [randomUUID()]
      await placement.putAggregates(tree.root.uuid, { ...before, aggregateUuids })
      expect(await placement.getAggregates(tree.root.uuid)).toMatchObject({ aggregateUuids })
    }))

  it('answers 404 for a provider that is not there', () =>
    withAdmin(target(), async ({ placement }) => {
      expect(await errorOf(placement.getInventories(randomUUID()))).toMatchObject({ status: 404 })
      expect(await errorOf(placement.deleteProvider(randomUUID()))).toMatchObject({ status: 404 })
    }))
}
