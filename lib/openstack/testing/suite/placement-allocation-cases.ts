import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { withTree } from './placement-cases'
import { type ClientTarget, errorOf, ownName } from './target'

export const placementAllocationCases = (target: () => ClientTarget): void => {
  it('counts what a consumer takes, and raises the generation when taking but not when giving back', () =>
    withTree(target(), async ({ placement, tree }) => {
      const { child, className } = tree
      const before = await placement.getUsages(child.uuid)
      expect(before.usages).toEqual({ [className]: 0 })
      const consumerUuid = await tree.consume(3)
      const taken = await placement.getUsages(child.uuid)
      expect(taken).toEqual({ generation: before.generation + 1, usages: { [className]: 3 } })
      const allocation = { consumerUuid, providerUuid: child.uuid, resources: { [className]: 3 } }
      expect((await placement.getAllocations(child.uuid)).allocations).toEqual([allocation])
      expect(await placement.getConsumer(consumerUuid)).toMatchObject({ allocations: [allocation] })
      await placement.deleteConsumer(consumerUuid)
      expect(await placement.getUsages(child.uuid)).toEqual({
        generation: taken.generation,
        usages: { [className]: 0 },
      })
      expect(await errorOf(placement.deleteConsumer(consumerUuid))).toMatchObject({ status: 404 })
    }))

  it('answers an unknown consumer with nothing', () =>
    withTree(target(), async ({ placement }) => {
      expect(await placement.getConsumer(randomUUID())).toEqual({
        allocations: [],
        projectId: null,
        userId: null,
        consumerGeneration: null,
        consumerType: null,
      })
    }))

  it('refuses more than there is with 409', () =>
    withTree(target(), async ({ tree }) => {
      await tree.consume(3)
      expect(await errorOf(tree.consume(2))).toMatchObject({ status: 409, service: 'placement' })
    }))

  it('keeps provider and inventory while something is allocated', () =>
    withTree(target(), async ({ placement, tree }) => {
      await tree.consume(1)
      const { generation } = await placement.getInventories(tree.child.uuid)
      const empty = placement.putInventories(tree.child.uuid, { generation, inventories: {} })
      expect(await errorOf(empty)).toMatchObject({ status: 409, code: 'placement.inventory.inuse' })
      expect(await errorOf(placement.deleteProvider(tree.child.uuid))).toMatchObject({
        status: 409,
        code: 'placement.resource_provider.inuse',
      })
    }))

  it('counts a project’s usage by class', () =>
    withTree(target(), async ({ placement, tree }) => {
      const consumerUuid = await tree.consume(2)
      const { projectId } = await placement.getConsumer(consumerUuid)
      expect((await placement.getProjectUsages(projectId ?? ''))[tree.className]).toBe(2)
    }))

  it('shows whole trees in the summaries of candidates, and full ones not at all', () =>
    withTree(target(), async ({ placement, tree }) => {
      const { root, child, className } = tree
      const open = await placement.listSummaries(className)
      expect(open.requestCount).toBe(1)
      expect(new Set(open.summaries.keys())).toEqual(new Set([root.uuid, child.uuid]))
      expect(open.summaries.get(child.uuid)).toMatchObject({
        parentUuid: root.uuid,
        rootUuid: root.uuid,
        resources: { [className]: { capacity: 4, used: 0 } },
      })
      await tree.consume(4)
      const full = await placement.listSummaries(className)
      expect(full).toMatchObject({ requestCount: 0, summaries: new Map() })
    }))

  it('asks with a flavor’s own query: traits in their group, groups with a policy', () =>
    withTree(target(), async ({ placement, tree }) => {
      const { child, className, trait } = tree
      const { generation } = await placement.getTraits(child.uuid)
      await placement.putTraits(child.uuid, { generation, traits: [trait] })
      const count = async (query: string) => (await placement.listCandidates(query)).requests.length
      expect(await count(`resources=${className}:1&required=${trait}`)).toBe(1)
      expect(await count(`resources=${className}:1&required=!${trait}`)).toBe(0)
      expect(await count(`resources1=${className}:1&required1=${trait}`)).toBe(1)
      expect(await count(`resources=${className}:5`)).toBe(0)
      const two = `resources1=${className}:1&resources2=${className}:1`
      expect(await count(`${two}&group_policy=none`)).toBe(1)
      expect(await count(`${two}&group_policy=isolate`)).toBe(0)
      expect(await errorOf(placement.listCandidates(two))).toMatchObject({ status: 400 })
      const unknown = placement.listCandidates(`resources=${className}:1&required=${ownName('NO_TRAIT')}`)
      expect(await errorOf(unknown)).toMatchObject({ status: 400 })
      const [candidate] = (await placement.listCandidates(`resources1=${className}:2`)).requests
      expect(candidate).toEqual({
        allocations: { [child.uuid]: { [className]: 2 } },
        mappings: { 1: [child.uuid] },
      })
    }))
}
