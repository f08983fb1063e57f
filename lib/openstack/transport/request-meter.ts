import type { OpenStackServiceName } from '../openstack-error'
import type { RequestCosts, RequestMeter, ServiceCost } from './types'

/** A count that starts at nothing. */
export const createRequestMeter = (): RequestMeter => {
  const costs: Record<OpenStackServiceName, ServiceCost> = {
    keystone: { requests: 0, ms: 0 },
    placement: { requests: 0, ms: 0 },
    nova: { requests: 0, ms: 0 },
    neutron: { requests: 0, ms: 0 },
    glance: { requests: 0, ms: 0 },
  }
  return {
    record: ({ service, ms }) => {
      costs[service].requests += 1
      costs[service].ms += ms
    },
    costs: (): RequestCosts => structuredClone(costs),
  }
}
