import type { GuestSpec, HostSpec } from '@/simulator/host-tree/host-spec'
import { addGuest } from './change-guests'
import { defineMdev, makeMdev } from './change-vgpus'
import type { DeviceChoice } from './choose-device'
import { type HostOutcome, refused } from './host-outcome'

/** From 30.0.0 on Nova defines the mdevs that it makes. */
export const definesMdevs = (spec: HostSpec): boolean => Number.parseInt(spec.nova.version, 10) >= 30

const withMdev = (spec: HostSpec, guest: GuestSpec, uuid: string): HostOutcome =>
  addGuest(definesMdevs(spec) ? defineMdev(spec, uuid) : spec, { ...guest, mdevs: [uuid] })

const withVf = (spec: HostSpec, guest: GuestSpec, slot: string): HostOutcome =>
  addGuest(spec, { ...guest, pciDevices: [slot] })

/** Spawns a server as Nova does on the chosen device; `uuid` names the vGPU that has to be made, if one has. */
export const spawnGuest = (
  spec: HostSpec,
  guest: GuestSpec,
  choice: DeviceChoice,
  uuid: string,
): HostOutcome => {
  if (choice.kind === 'whole') return withVf(spec, guest, choice.gpu.address)
  const isMdev = choice.gpu.slicing.interface === 'mdev'
  if (choice.kind === 'spare')
    return isMdev ? withMdev(spec, guest, choice.uuid) : withVf(spec, guest, choice.slot)
  const { slot, typeId } = choice
  // Nova's libvirt driver writes no current_vgpu_type: QEMU opens the VF as it is.
  if (!isMdev) return refused('EIO', `${slot} has no vGPU type`)
  const made = makeMdev(spec, { slot, typeId, uuid })
  return made.isDone ? withMdev(made.spec, guest, uuid) : made
}
