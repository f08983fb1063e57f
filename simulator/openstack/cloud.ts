import type { KeystoneState } from './keystone/keystone-state'
import type { NovaState } from './nova/nova-state'
import type { PlacementState } from './placement/placement-state'
import type { Release } from './releases'

/** A simulated cloud: what its services hold. */
export type Cloud = {
  release: Release
  region: string
  /** The APIs' clock; hosts have the world's. */
  now: () => Date
  newUuid: () => string
  keystone: KeystoneState
  placement: PlacementState
  nova: NovaState
  /** `agentHosts`: hosts with an agent in addition to those under the names of the hypervisors. `isListEmpty`: as without permission. */
  neutron: { agentHosts: Set<string>; isListEmpty: boolean }
  /** Names of providers whose traits nobody puts back. */
  handTagged: Set<string>
}
