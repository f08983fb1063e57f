import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { handedOutDevices } from '@/lib/domain/cloud/handed-out'
import { deviceGroup, emptyDevices } from './count-devices'
import { carriersOfHost } from './reached-types'

/** Computes host by host what the first question about the whole fleet would otherwise compute in one step. */
export function* prepareHosts(fleet: Fleet): Generator<void, void> {
  for (const joined of fleet.hosts) {
    handedOutDevices(joined)
    yield
    deviceGroup(fleet, joined)
    deviceGroup(fleet, emptyDevices(joined))
    carriersOfHost(joined)
    yield
  }
}
