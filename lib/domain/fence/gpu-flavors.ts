import { listedFunctions } from '@/lib/domain/cloud/expected-providers'
import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { freeByHardware } from '@/lib/domain/cloud/free-by-hardware'
import type { Flavor } from '@/lib/domain/cloud/types'
import { countFits } from '@/lib/domain/fit/count-fits'
import {
  type FlavorLike,
  type FlavorRequest,
  gpuAmounts,
  readFlavorRequest,
} from '@/lib/domain/fit/flavor-request'
import { hostProblem, slotNeeds } from '@/lib/domain/fit/host-problem'
import { type PciAlias, readPciAliases } from '@/lib/domain/nova-config/pci-alias'
import { known, unknown } from '@/lib/domain/pgpu/known'
import type { Known } from '@/lib/domain/pgpu/types'

/** Whether servers of a flavor get a GPU: by a class, or by the alias of a PCI device. */
const isGpuRequest = (request: FlavorRequest): boolean =>
  gpuAmounts(request).size > 0 || request.aliases.length > 0

export const isGpuFlavor = (flavor: FlavorLike): boolean => isGpuRequest(readFlavorRequest(flavor))

/** Flavors that give GPUs and that somebody can use. */
export const gpuFlavorsOf = ({ input }: Fleet): Flavor[] =>
  (input.facts.flavors.value ?? []).filter((flavor) => !flavor.isDisabled && isGpuFlavor(flavor))

const isSameHex = (written: string | undefined, actual: string | null): boolean =>
  written === undefined || (actual !== null && Number.parseInt(written, 16) === Number.parseInt(actual, 16))

const classText = (text: string): string => {
  const name = text.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_')
  return name.startsWith('CUSTOM_') ? name : `CUSTOM_${name}`
}

/** Whether an alias stands for a card that is handed out whole, by its ids or by its class. */
const isMeant = (alias: PciAlias, joined: JoinedHost, { pgpu }: JoinedPgpu): boolean => {
  const own = listedFunctions(joined, pgpu).find(({ address }) => address === pgpu.address)
  if (own === undefined) return false
  if (alias.resource_class === undefined)
    return (
      alias.product_id !== undefined &&
      isSameHex(alias.vendor_id, pgpu.vendorId) &&
      isSameHex(alias.product_id, pgpu.deviceId)
    )
  return own.resourceClass !== null && classText(own.resourceClass) === classText(alias.resource_class)
}

/** By the very fleet: every host asks for the aliases of all in a round. */
const remembered = new WeakMap<Fleet, PciAlias[]>()

const aliasesOf = (fleet: Fleet): PciAlias[] => {
  const held =
    remembered.get(fleet) ??
    fleet.hosts.flatMap(({ host }) =>
      host.inventory.novaConfig === null ? [] : readPciAliases(host.inventory.novaConfig),
    )
  remembered.set(fleet, held)
  return held
}

/** Cards of a host that are handed out whole under an alias, by the host's own nova.conf, else by that of any other host. */
const cardsOfAlias = (fleet: Fleet, joined: JoinedHost, name: string): JoinedPgpu[] => {
  const config = joined.host.inventory.novaConfig
  const own = config === null ? [] : readPciAliases(config).filter((alias) => alias.name === name)
  const aliases = own.length > 0 ? own : aliasesOf(fleet).filter((alias) => alias.name === name)
  return joined.pgpus.filter(
    (entry) =>
      entry.pgpu.framework === 'passthrough' && aliases.some((alias) => isMeant(alias, joined, entry)),
  )
}

const cardServers = (
  fleet: Fleet,
  joined: JoinedHost,
  aliases: FlavorRequest['aliases'],
): { servers: Known; cards: string[] } => {
  const counts = aliases.map(({ name, count }) => {
    const cards = cardsOfAlias(fleet, joined, name)
    const free = cards.map(freeByHardware)
    const gap = free.find(({ value }) => value === null)
    const sum = free.reduce((total, { value }) => total + (value ?? 0), 0)
    return {
      servers: gap?.value === null ? unknown(gap.reason) : known(Math.floor(sum / Math.max(1, count))),
      cards,
    }
  })
  const gap = counts.find(({ servers }) => servers.value === null)?.servers
  return {
    servers: gap ?? known(Math.min(...counts.map(({ servers }) => servers.value ?? 0))),
    cards: counts.flatMap(({ cards }) => cards.map(({ pgpu }) => pgpu.address)),
  }
}

/**
 * Servers of a GPU flavor that a host's free GPUs alone would take, were CPU, memory and disk without end. Null: none of
 * its GPUs is of the kind that the flavor asks for.
 */
export const serversByGpus = (fleet: Fleet, joined: JoinedHost, flavor: FlavorLike): Known | null => {
  const request = readFlavorRequest(flavor)
  const needs = slotNeeds(request)
  if (needs.length === 0) {
    const { servers, cards } = cardServers(fleet, joined, request.aliases)
    return cards.length === 0 ? null : servers
  }
  const { problem, unknownCard } = hostProblem({
    joined,
    needs,
    room: Number.MAX_SAFE_INTEGER,
    isIsolated: request.groupPolicy === 'isolate',
  })
  if (problem.slots.some(({ eligible }) => eligible.size === 0)) return null
  if (unknownCard !== null) return unknown(unknownCard)
  return known(countFits(problem).count)
}
