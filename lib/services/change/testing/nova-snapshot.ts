import type { OpenStackSimulator } from '@/simulator/openstack/start-openstack'

/** What a person may change of each flavor, and of each aggregate, by name. */
export const novaSnapshot = ({ flavors, aggregates }: OpenStackSimulator['cloud']['nova']) => ({
  flavors: Object.fromEntries(
    flavors.map(({ name, description, extraSpecs, projectIds }) => [
      name,
      { description, extraSpecs: { ...extraSpecs }, projectIds: projectIds.toSorted() },
    ]),
  ),
  aggregates: Object.fromEntries(
    aggregates.map(({ name, hosts, metadata }) => [
      name,
      { hosts: hosts.toSorted(), metadata: { ...metadata } },
    ]),
  ),
})
