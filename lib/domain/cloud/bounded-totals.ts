import type { ExpectedParent } from './expected-providers'

/** A parent with Placement's total of its class; 0: there is no provider or no inventory. */
export type ParentTotal = { parent: ExpectedParent; name: string; total: number }

/** vGPUs that nova-compute reports for a parent that counts. */
export const parentSize = ({ made, available }: ExpectedParent): number => made + (available ?? 0)

/**
 * Why Placement's totals of some parents cannot be as nova-compute reports them under `max_instances`; null: they can.
 * `ofType`: all parents of the type on the host, with `own` among them. Which parents count depends on libvirt's order, but each
 * counts whole or not at all, all counted ones fit under the limit, and no other one does. Totals of parents that are not
 * `own` count only for the sum. Source: nova/virt/libvirt/driver.py _get_gpu_inventories.
 */
export const boundedTotalsFault = (
  limit: number,
  { own, ofType }: { own: ReadonlySet<string>; ofType: readonly ParentTotal[] },
): string | null => {
  const judged = ofType.filter(({ parent }) => own.has(parent.address))
  const mismatch = judged.find(({ parent, total }) => total !== 0 && total !== parentSize(parent))
  if (mismatch !== undefined) {
    const { name, parent, total } = mismatch
    return `Placement reports ${parent.resourceClass} ${total} for ${name}, expected ${parentSize(parent)} or 0`
  }
  const made = ofType.reduce((sum, { parent }) => sum + parent.made, 0)
  const counted = ofType.reduce(
    (sum, { parent, total }) => sum + (total > 0 ? (parent.available ?? 0) : 0),
    made,
  )
  const grown = judged.find(({ parent, total }) => total > 0 && (parent.available ?? 0) > 0)
  if (counted > limit && grown !== undefined)
    return `the totals of ${grown.parent.typeId} in Placement exceed max_instances ${limit}`
  const left = judged.find(({ parent, total }) => total === 0 && counted + (parent.available ?? 0) <= limit)
  return left === undefined
    ? null
    : `Placement reports no ${left.parent.resourceClass} for ${left.name}, expected ${parentSize(left.parent)}`
}
