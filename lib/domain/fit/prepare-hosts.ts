import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { handedOutDevices } from '@/lib/domain/cloud/handed-out'
import { deviceGroup, emptyDevices } from './count-devices'
import { readFlavorRequest } from './flavor-request'
import { isGpuClassIn } from './gpu-classes'
import { gpuFlavors } from './gpu-flavors'
import { carriersOfHost } from './reached-types'

/** Computes in steps the devices that Nova assigns, then the classes of GPUs, and the flavors that request them. */
export function* prepareFlavors(fleet: Fleet): Generator<void, void> {
  for (const joined of fleet.hosts) {
    handedOutDevices(joined)
    yield
  }
  isGpuClassIn(fleet, 'VCPU')
  yield
  for (const flavor of fleet.input.facts.flavors.value ?? []) {
    readFlavorRequest(flavor)
    yield
  }
  gpuFlavors(fleet)
  yield
}

/** Computes host by host what the first question about the whole fleet would otherwise compute in one step. */
export function* prepareHosts(fleet: Fleet): Generator<void, void> {
  yield* prepareFlavors(fleet)
  for (const joined of fleet.hosts) {
    deviceGroup(fleet, joined)
    deviceGroup(fleet, emptyDevices(joined))
    carriersOfHost(joined)
    yield
  }
}
