import type { GlanceState } from './glance/glance-state'
import type { KeystoneState } from './keystone/keystone-state'
import type { NeutronState } from './neutron/neutron-state'
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
  neutron: NeutronState
  glance: GlanceState
  /** Names of providers whose traits are never restored. */
  handTagged: Set<string>
}
