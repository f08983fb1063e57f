import type { GuestSpec, HostSpec } from '@/simulator/host-tree/host-spec'
import { gpuOfVgpu, withGuest } from './host-lookup'
import { done, type HostOutcome, refused } from './host-outcome'
import { pinGuest } from './pin-guest'

const guestOf = (spec: HostSpec, uuid: string): GuestSpec | null =>
  spec.guests.find((guest) => guest.uuid === uuid) ?? null

/** Puts a guest with its devices on the host; the devices must exist and be unattached. */
export const addGuest = (spec: HostSpec, guest: GuestSpec): HostOutcome => {
  if (guestOf(spec, guest.uuid) !== null) return refused('EEXIST', `${guest.uuid} is on this host`)
  for (const uuid of guest.mdevs) {
    if (gpuOfVgpu(spec, uuid) === null) return refused('ENODEV', `there is no mdev ${uuid}`)
    const holder = spec.guests.find((other) => other.mdevs.includes(uuid))
    if (holder !== undefined) return refused('EBUSY', `${holder.name} has ${uuid}`)
  }
  for (const address of guest.pciDevices) {
    const holder = spec.guests.find((other) => other.pciDevices.includes(address))
    if (holder !== undefined) return refused('EBUSY', `${holder.name} has ${address}`)
  }
  if (guest.pinned === undefined) return done({ ...spec, guests: [...spec.guests, guest] })
  const [card] = spec.gpus.filter(({ address }) => guest.pciDevices.includes(address))
  const pinned = pinGuest(spec, guest, card?.numaNode ?? null)
  if (pinned === null) return refused('ENOSPC', `no NUMA node has ${guest.vcpus} CPUs for ${guest.name}`)
  return done({ ...spec, guests: [...spec.guests, { ...guest, pinned }] })
}

/** Deletes a guest. Its mdevs stay: Nova never removes one. */
export const removeGuest = (spec: HostSpec, uuid: string): HostOutcome =>
  guestOf(spec, uuid) === null
    ? refused('ENODEV', `there is no guest ${uuid}`)
    : done({ ...spec, guests: spec.guests.filter((guest) => guest.uuid !== uuid) })

/** Starts, pauses or shuts a guest off. A start fails when an mdev of the guest is gone. */
export const setGuestState = (spec: HostSpec, uuid: string, state: GuestSpec['state']): HostOutcome => {
  const guest = guestOf(spec, uuid)
  if (guest === null) return refused('ENODEV', `there is no guest ${uuid}`)
  const missing = guest.mdevs.find((mdev) => gpuOfVgpu(spec, mdev) === null)
  if (state !== 'shutoff' && missing !== undefined)
    return refused('ENODEV', `mdev ${missing} of ${guest.name} is gone`)
  return done(withGuest(spec, { ...guest, state }))
}
