import type { GpuDevice, Guest, Mdev } from '@/lib/schemas/agent/inventory'
import { functionsOf } from './card-places'
import type { HostChange } from './host-change'
import type { HostIndex } from './host-index'

/** What has to be read again after a change: cards by their place, mdevs and guests as they are now. */
export type Concern = { cards: Set<number>; mdevs: Set<Mdev>; guests: Set<Guest> }

type Change = { change: HostChange; before: HostIndex; after: HostIndex; cards: readonly GpuDevice[] }

/** A guest that came or went: the mdevs that it names and their cards, and the cards of its PCI devices. */
const markGuest = (guest: Guest, concern: Concern, { before, after }: Change): void => {
  const { placeOf } = after.places
  const mark = (address: string): void => {
    const place = placeOf.get(address)
    if (place !== undefined) concern.cards.add(place)
  }
  for (const { uuid } of guest.mdevs) {
    const held = after.mdevOf.get(uuid)
    if (held !== undefined) concern.mdevs.add(held)
    for (const mdev of [before.mdevOf.get(uuid), held]) if (mdev !== undefined) mark(mdev.parent)
  }
  for (const { address } of guest.pciDevices) mark(address)
}

/** Its guests tell which type runs on a VF, and cards of its model tell the names of such types. */
const markVendorVfio = (gpu: GpuDevice, concern: Concern, { after, cards }: Change): void => {
  const functions = functionsOf(gpu)
  if (functions.every(({ vendorVfio }) => vendorVfio === null)) return
  for (const { address } of functions)
    for (const guest of after.occupancy.byPciAddress.get(address) ?? []) concern.guests.add(guest)
  for (const [place, { vendorId, deviceId }] of cards.entries())
    if (vendorId === gpu.vendorId && deviceId === gpu.deviceId) concern.cards.add(place)
}

/**
 * What a change concerns on a host whose basis stayed: each card of which something differs (its own entry or nvidia-smi's,
 * its mdevs, the guests upon it), each mdev with another guest, each guest with another mdev. The mdevs of these cards belong
 * to it too. `cards`: the pGPUs of the last inventory.
 */
export const concernOf = (told: Change): Concern => {
  const { change, after } = told
  const { placeOf } = after.places
  const concern: Concern = { cards: new Set(), mdevs: new Set(), guests: new Set() }
  const mark = (address: string): void => {
    const place = placeOf.get(address)
    if (place !== undefined) concern.cards.add(place)
  }
  for (const gpu of change.gpus) {
    mark(gpu.address)
    markVendorVfio(gpu, concern, told)
  }
  for (const part of [change.smiGpus.gone, change.smiGpus.come]) for (const { address } of part) mark(address)
  for (const part of [change.mdevs.gone, change.mdevs.come])
    for (const { uuid, parent } of part) {
      mark(parent)
      for (const guest of after.occupancy.byMdev.get(uuid) ?? []) concern.guests.add(guest)
    }
  for (const part of [change.guests.gone, change.guests.come])
    for (const guest of part) markGuest(guest, concern, told)
  return concern
}
