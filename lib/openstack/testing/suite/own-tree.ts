import { randomUUID } from 'node:crypto'
import type { ListedProvider, PlacementClient } from '../../placement/types'
import { ownName } from './target'

export const INVENTORY = {
  total: 4,
  reserved: 0,
  minUnit: 1,
  maxUnit: 4,
  stepSize: 1,
  allocationRatio: 1,
}

export type OwnTree = {
  root: ListedProvider
  child: ListedProvider
  /** A resource class of which the child has four. */
  className: string
  trait: string
  /** A consumer that is taken away at the end. */
  consume: (amount: number) => Promise<string>
}

type OwnTreeInput = {
  placement: PlacementClient
  projectId: string
  userId: string
  after: (cleanup: () => Promise<unknown>) => void
}

/** A root with one child, a class and a trait that only this test knows, so that nothing schedules to it. */
export const createOwnTree = async (input: OwnTreeInput): Promise<OwnTree> => {
  const { placement, after } = input
  const className = ownName('CLASS')
  const trait = ownName('TRAIT')
  await placement.createResourceClass(className)
  after(() => placement.deleteResourceClass(className))
  await placement.createTrait(trait)
  after(() => placement.deleteTrait(trait))
  const name = ownName('ROOT').toLowerCase()
  const root = await placement.createProvider({ uuid: randomUUID(), name })
  after(() => placement.deleteProvider(root.uuid))
  const childName = `${name}_pci_0000_84_00_0`
  const child = await placement.createProvider({
    uuid: randomUUID(),
    name: childName,
    parentUuid: root.uuid,
  })
  after(() => placement.deleteProvider(child.uuid))
  await placement.putInventories(child.uuid, {
    generation: child.generation,
    inventories: { [className]: INVENTORY },
  })
  const consume = async (amount: number) => {
    const consumerUuid = randomUUID()
    await placement.putConsumer({
      consumerUuid,
      allocations: { [child.uuid]: { [className]: amount } },
      projectId: input.projectId,
      userId: input.userId,
      consumerGeneration: null,
    })
    after(() => placement.deleteConsumer(consumerUuid))
    return consumerUuid
  }
  return { root, child, className, trait, consume }
}
