import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { freeByHardware } from '@/lib/domain/cloud/free-by-hardware'
import { type HandedOut, handedOutDevices } from '@/lib/domain/cloud/handed-out'
import { isWaitingForCleaning } from '@/lib/domain/cloud/reserved'
import { WAITING_FOR_CLEANING } from '@/lib/domain/fleet/stranded-reasons'
import { aliasMeaning, aliasTakes } from '@/lib/domain/nova-config/alias-takes'
import type { PciAlias } from '@/lib/domain/nova-config/pci-alias'
import { known, unknown } from '@/lib/domain/pgpu/known'
import type { Known } from '@/lib/domain/pgpu/types'
import { listText } from '@/lib/domain/wording'
import { meaningOfAlias } from './alias-meaning'
import type { FitBin, FitSlot } from './count-fits'
import type { FitBlocker } from './fit-blocker'
import type { FlavorRequest } from './flavor-request'

/** What counting calls a device by alias; no resource class has a blank. */
const DEVICE = 'PCI device'

/** PCI devices that a host has for the aliases of a request, as slots and bins of the counting problem. */
export type AliasSupply = {
  slots: readonly FitSlot[]
  bins: readonly FitBin[]
  /** Why some device that could serve is not known to be free; null when all are known. `unknownCards` have no bound. */
  unknownCard: string | null
  unknownCards: readonly string[]
}

const entriesOf = (fleet: Fleet, name: string): readonly PciAlias[] => {
  const meaning = meaningOfAlias(fleet, name)
  return meaning.state === 'known' ? meaning.entries : []
}

/** Null: the report does not tell enough. */
const takes = (entries: readonly PciAlias[], { offer }: HandedOut): boolean | null => {
  const answers = entries.map((entry) => aliasTakes(entry, offer))
  if (answers.includes(true)) return true
  return answers.includes(null) ? null : false
}

/** A one-time-use device that no server holds any more and that is not cleaned yet. */
const isUsedUp = ({ joined, pgpu, address }: HandedOut): boolean =>
  joined.pgpus
    .filter((entry) => entry.pgpu.address === pgpu.address)
    .flatMap(({ providers }) => providers)
    .some((entry) => [address, pgpu.address].includes(entry.address) && isWaitingForCleaning(entry))

/** 0 or 1: an unused card, or a VF that no guest names and no process has open. */
export const freeOfDevice = (device: HandedOut): Known => {
  const { joined, pgpu, address } = device
  if (isUsedUp(device)) return known(0)
  if (address === pgpu.address) {
    const entry = joined.pgpus.find(({ pgpu: { address: own } }) => own === address)
    return entry === undefined ? known(0) : freeByHardware(entry)
  }
  const { guests, deviceHolders } = joined.host.inventory
  if (deviceHolders?.some(({ device }) => device === address)) return known(0)
  if (guests === null) return unknown('the guests could not be read')
  return known(guests.some(({ pciDevices }) => pciDevices.some((one) => one.address === address)) ? 0 : 1)
}

const binId = ({ address }: HandedOut): string => `pci ${address}`

/** `isEmptied`: as if no server ran there. Unknown aliases supply nothing; `aliasProblem` reports them before. */
export const aliasSupply = (
  fleet: Fleet,
  joined: JoinedHost,
  { aliases, isEmptied = false }: Pick<FlavorRequest, 'aliases'> & { isEmptied?: boolean },
): AliasSupply => {
  const devices = aliases.length === 0 ? [] : handedOutDevices(joined)
  const wanted = aliases.map(({ name, count }) => ({ count, entries: entriesOf(fleet, name) }))
  const able = devices.filter((device) => wanted.some(({ entries }) => takes(entries, device) !== false))
  const bins: FitBin[] = []
  const unknownCards: string[] = []
  let unknownCard: string | null = null
  for (const device of able) {
    const isSure = wanted.every(({ entries }) => takes(entries, device) !== null)
    const free = isEmptied ? known(1) : freeOfDevice(device)
    const reportedCount = isSure ? free : unknown('its report does not name the product id of its VFs')
    const id = binId(device)
    bins.push({ id, free: { [DEVICE]: reportedCount.value ?? 1 }, card: id })
    if (reportedCount.value !== null) continue
    unknownCards.push(id)
    unknownCard ??= `${device.pgpu.address}: ${reportedCount.reason}`
  }
  const slots = wanted.flatMap(({ count, entries }) => {
    const eligible = new Set(able.filter((device) => takes(entries, device) !== false).map(binId))
    return Array.from(
      { length: count },
      (): FitSlot => ({
        amounts: { [DEVICE]: 1 },
        eligible,
        isNumbered: false,
      }),
    )
  })
  return { slots, bins, unknownCard, unknownCards }
}

type AliasesOfPgpu = Pick<FlavorRequest, 'aliases'> & { address: string }

const devicesFor = (fleet: Fleet, joined: JoinedHost, { address, aliases }: AliasesOfPgpu): HandedOut[] => {
  const entries = aliases.flatMap(({ name }) => entriesOf(fleet, name))
  return handedOutDevices(joined).filter(
    (device) => device.pgpu.address === address && takes(entries, device) !== false,
  )
}

/** Devices of one pGPU, in use or not, that could serve some alias of a request. */
export const countForAliases = (fleet: Fleet, joined: JoinedHost, requested: AliasesOfPgpu): number =>
  devicesFor(fleet, joined, requested).length

/** The free ones of these; a device whose guests are unknown counts as free. */
export const freeForAliases = (fleet: Fleet, joined: JoinedHost, requested: AliasesOfPgpu): number =>
  devicesFor(fleet, joined, requested).filter((device) => freeOfDevice(device).value !== 0).length

/**
 * What prevents one pGPU from serving any alias of a request; null if a device of it is free, or if no alias is
 * requested.
 */
export const aliasBlocker = (
  fleet: Fleet,
  joined: JoinedHost,
  { address, aliases }: Pick<FlavorRequest, 'aliases'> & { address: string },
): FitBlocker | null => {
  if (aliases.length === 0) return null
  const own = handedOutDevices(joined).filter(({ pgpu }) => pgpu.address === address)
  if (own.length === 0) return { kind: 'class', because: 'no [pci] device_spec assigns the card' }
  const entries = aliases.flatMap(({ name }) => entriesOf(fleet, name))
  const able = own.filter((device) => takes(entries, device) !== false)
  if (able.length === 0) {
    const names = listText(aliases.map(({ name }) => name))
    const meant = listText([...new Set(entries.map(aliasMeaning))])
    return {
      kind: 'class',
      because: `the alias ${names} matches ${meant}, but not this card`,
    }
  }
  if (able.every(isUsedUp)) return { kind: 'full', because: WAITING_FOR_CLEANING }
  return able.every((device) => freeOfDevice(device).value === 0)
    ? { kind: 'full', because: 'all assigned devices of the card are in use' }
    : null
}

/** The devices of some hosts that an alias certainly matches; null: the meaning of the alias is unknown. */
export const devicesOfAlias = (
  fleet: Fleet,
  { name, hosts }: { name: string; hosts: readonly JoinedHost[] },
): HandedOut[] | null => {
  const meaning = meaningOfAlias(fleet, name)
  if (meaning.state !== 'known') return null
  return hosts
    .flatMap((joined) => handedOutDevices(joined))
    .filter((device) => takes(meaning.entries, device) === true)
}
