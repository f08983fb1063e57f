import 'server-only'
import type { StepTools } from './step-work'

/** Reads Placement's total of a class by the name of a provider; 0: there is none. */
export type TreeTotals = (name: string, resourceClass: string) => Promise<number>

/** Totals of the providers of one compute node: the tree is listed once, and each inventory is read once. */
export const readTreeTotals = async ({ placement }: StepTools, rootUuid: string): Promise<TreeTotals> => {
  const tree = await placement.listProviders({ inTree: rootUuid })
  const uuids = new Map(tree.map(({ name, uuid }) => [name, uuid]))
  const read = new Map<string, ReturnType<typeof placement.getInventories>>()
  return async (name, resourceClass) => {
    const uuid = uuids.get(name)
    if (uuid === undefined) return 0
    const pending = read.get(uuid) ?? placement.getInventories(uuid)
    read.set(uuid, pending)
    return (await pending).inventories[resourceClass]?.total ?? 0
  }
}
