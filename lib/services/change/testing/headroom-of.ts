import type { PlacementState } from '@/simulator/openstack/placement/placement-state'

/** Totals and reservations of each root provider, by its name. */
export const headroomOf = ({ providers }: PlacementState): Record<string, string> =>
  Object.fromEntries(
    [...providers.values()]
      .filter(({ parentUuid }) => parentUuid === null)
      .map(({ name, inventories }) => [
        name,
        [...inventories]
          .map(([resource, { total, reserved }]) => `${resource} ${total}-${reserved}`)
          .toSorted()
          .join(', '),
      ]),
  )
