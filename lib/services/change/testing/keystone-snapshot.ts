import type { OpenStackSimulator } from '@/simulator/openstack/start-openstack'

/** Limits by what they are of, and who has which role on the system; ids differ from run to run. */
export const keystoneSnapshot = ({
  registeredLimits,
  limits,
  assignments,
}: OpenStackSimulator['cloud']['keystone']) => ({
  limits: Object.fromEntries(
    [
      ...registeredLimits.map(
        ({ resourceName, regionId, defaultLimit }) =>
          [`${resourceName} in ${regionId}`, defaultLimit] as const,
      ),
      ...limits.map(
        ({ resourceName, regionId, projectId, resourceLimit }) =>
          [`${resourceName} in ${regionId} of ${projectId}`, resourceLimit] as const,
      ),
    ].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ),
  systemRoles: assignments
    .filter(({ target }) => target.kind === 'system')
    .map(({ userId, roleId }) => `${roleId} of ${userId}`)
    .toSorted(),
})
