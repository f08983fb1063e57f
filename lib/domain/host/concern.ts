import type { Card } from '@/lib/domain/pgpu/pgpu-facts'
import type { GpuDevice, Guest, Mdev } from '@/lib/schemas/agent/inventory'
import { functionsOf } from './card-places'
import type { HostChange } from './host-change'
import type { HostIndex } from './host-index'

/** What has to be read again after a change: cards by their places, each once, mdevs and guests as they are now. */
export type Concern = { cards: readonly number[]; mdevs: readonly Mdev[]; guests: readonly Guest[] }

type Told = {
  change: HostChange
  /** Of the inventory as it is now. */
  index: HostIndex
  /** Of the last one. */
  cards: readonly Card[]
}

type Marks = { cards: number[]; mdevs: Mdev[]; guests: Guest[] }

const markPlace = (place: number | undefined, { cards }: Marks): void => {
  if (place !== undefined && !cards.includes(place)) cards.push(place)
}

const markFunction = (address: string, marks: Marks, { index }: Told): void =>
  markPlace(index.places.placeOf.get(address), marks)

/**
 * A guest that came or went: the mdevs that it names and their cards, and the cards of its PCI devices. Cards of mdevs that
 * went or were others are marked by these.
 */
const markGuest = (guest: Guest, marks: Marks, told: Told): void => {
  for (const { uuid } of guest.mdevs) {
    const mdev = told.index.mdevOf.get(uuid)
    if (mdev === undefined) continue
    marks.mdevs.push(mdev)
    markFunction(mdev.parent, marks, told)
  }
  for (const { address } of guest.pciDevices) markFunction(address, marks, told)
}

/** Its guests tell which type runs on a VF, and cards of its model tell the names of such types. */
const markVendorVfio = (gpu: GpuDevice, marks: Marks, { index, cards }: Told): void => {
  const functions = functionsOf(gpu)
  if (functions.every(({ vendorVfio }) => vendorVfio === null)) return
  for (const { address } of functions)
    for (const guest of index.occupancy.byPciAddress.get(address) ?? []) marks.guests.push(guest)
  for (const [place, { facts }] of cards.entries())
    if (facts.gpu.vendorId === gpu.vendorId && facts.gpu.deviceId === gpu.deviceId) markPlace(place, marks)
}

const markMdev = ({ uuid, parent }: Mdev, marks: Marks, told: Told): void => {
  markFunction(parent, marks, told)
  for (const guest of told.index.occupancy.byMdev.get(uuid) ?? []) marks.guests.push(guest)
}

/**
 * What a change concerns on a host whose basis stayed: each card of which something differs (its own entry or nvidia-smi's,
 * its mdevs, the guests upon it), each mdev with another guest, each guest with another mdev. The mdevs of these cards belong
 * to it too.
 */
export const concernOf = (told: Told): Concern => {
  const { gpus, mdevs, guests, smiGpus } = told.change
  const marks: Marks = { cards: [], mdevs: [], guests: [] }
  for (const gpu of gpus) {
    markFunction(gpu.address, marks, told)
    markVendorVfio(gpu, marks, told)
  }
  for (const { address } of smiGpus.gone) markFunction(address, marks, told)
  for (const { address } of smiGpus.come) markFunction(address, marks, told)
  for (const mdev of mdevs.gone) markMdev(mdev, marks, told)
  for (const mdev of mdevs.come) markMdev(mdev, marks, told)
  for (const guest of guests.gone) markGuest(guest, marks, told)
  for (const guest of guests.come) markGuest(guest, marks, told)
  return marks
}
