import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { groupBy } from '@/lib/domain/cloud/match-host'
import { type PciLayout, pciLayoutNow } from '@/lib/domain/cloud/pci-layout'
import { isVfioDriver } from '@/lib/domain/pgpu/vfio-driver'
import { listText } from '@/lib/domain/wording'
import type { GroupDevice } from '@/lib/schemas/agent/inventory'
import { canonicalAddress } from '@/lib/util/canonical-address'
import type { HostLayout } from '../host-steps/host-layout'
import type { HostTargets } from '../host-steps/preview'
import { type HeldPgpu, heldReason, holderReason, readHost } from '../host-steps/refuse'
import { whyNotAliases } from '../host-steps/vfio/alias-refusal'
import { malformedReason } from '../malformed/malformed'
import { malformedPci } from '../malformed/malformed-config'
import { malformedDrivers } from '../malformed/malformed-devices'
import type { ChangeTarget } from '../step'
import { pciWithCard, pciWithoutCard } from './pci-after'
import { SLICEABLE, WHOLE_CARD } from './whole-card'

type LayoutType = HostLayout['types'][number]

const capacityOf = ({ pgpu }: JoinedPgpu, typeId: string): number | null =>
  pgpu.supportedTypes?.find((type) => type.typeId === typeId)?.maxInstance ?? null

/** `max_instances` is a total of the host: what the cards could hold goes off it. */
const boundAfter = (type: LayoutType, lost: readonly JoinedPgpu[]): number | null => {
  if (type.maxInstances === null) return null
  const counts = lost.map((entry) => capacityOf(entry, type.typeId))
  const sum = counts.reduce<number | null>(
    (total, count) => (total === null || count === null ? null : total + count),
    0,
  )
  return sum === null ? type.maxInstances : Math.max(1, type.maxInstances - sum)
}

/** The layout once nova.conf gives some cards no vGPU type; everything else of the host stays as it is. */
const typesWithout = (before: HostLayout, targets: readonly JoinedPgpu[]): HostLayout => {
  const gone = new Set(targets.flatMap(({ functions }) => functions))
  const parents = before.parents.map(({ address, typeId }) => ({
    address,
    typeId: gone.has(address) ? null : typeId,
  }))
  const types = before.types.flatMap((type): LayoutType[] => {
    const of = (entry: JoinedPgpu) =>
      before.parents.some(
        ({ address, typeId }) => typeId === type.typeId && entry.functions.includes(address),
      )
    const lost = targets.filter(of)
    const listed = (type.addresses ?? []).map(canonicalAddress).filter((address) => !gone.has(address))
    if (lost.length === 0 && listed.length === (type.addresses ?? []).length) return [type]
    const left =
      type.addresses === null
        ? parents.filter(({ typeId }) => typeId === type.typeId).map(({ address }) => address)
        : listed
    return left.length === 0 ? [] : [{ ...type, addresses: left, maxInstances: boundAfter(type, lost) }]
  })
  return { parents, types }
}

export type PassthroughInput = {
  gpus: readonly ChangeTarget[]
  to: 'whole' | 'sliced'
  /** The alias for flavors; null: an existing one that matches the card, else one derived from the model. */
  alias: string | null
  /** Flavors may lose their last host. */
  isFlavorLossAccepted: boolean
  /** pGPUs of active changes. */
  held: readonly HeldPgpu[]
}

/** A host's part of the change. */
export type PassthroughDraft = HostTargets & {
  to: PassthroughInput['to']
  types: { before: HostLayout; after: HostLayout }
  pci: { before: PciLayout; after: PciLayout }
}

/** The driver that slices NVIDIA's cards. */
export const SLICING_DRIVER = 'nvidia'

const cardOf = (address: string): string => address.slice(0, address.lastIndexOf('.'))

/** Other functions of the same card in its IOMMU group. */
export const cardFunctions = ({ host }: JoinedHost, { pgpu }: JoinedPgpu): GroupDevice[] => {
  const gpu = host.inventory.gpus.find(({ address }) => address === pgpu.address)
  return (gpu?.iommuGroupDevices ?? []).filter(({ address }) => cardOf(address) === cardOf(pgpu.address))
}

/** Those that have to leave it to a guest too. */
export const sisterFunctions = (joined: JoinedHost, entry: JoinedPgpu): GroupDevice[] =>
  cardFunctions(joined, entry).filter(({ driver }) => driver !== null && !isVfioDriver(driver))

const groupReason = (joined: JoinedHost, entry: JoinedPgpu): string | null => {
  const { members } = entry.pgpu.iommu
  if (entry.pgpu.iommuGroup === null)
    return 'the kernel reports no IOMMU group: first enable the IOMMU (intel_iommu=on or amd_iommu=on)'
  if (members === null)
    return `the drivers of the other members of its IOMMU group are unknown: ${entry.pgpu.iommu.isolation.reason ?? ''}`
  const own = new Set(sisterFunctions(joined, entry).map(({ address }) => address))
  const foreign = members.filter(({ isInTheWay, address }) => isInTheWay && !own.has(address))
  return foreign.length === 0
    ? null
    : `its IOMMU group ${entry.pgpu.iommuGroup} has ${listText(foreign.map(({ address, driver }) => `${address} (${driver})`))}, which the host needs: move the card to another slot`
}

const refuseWhole = (joined: JoinedHost, entry: JoinedPgpu): string | null => {
  const { pgpu } = entry
  if (!/^[0-9a-f]{4}:/.test(pgpu.address)) return 'it is not a PCI device'
  if (pgpu.framework === 'passthrough' && pgpu.cells.some(({ address }) => address !== pgpu.address))
    return 'Nova or a guest uses its virtual functions, which the card would lose: first remove them from device_spec'
  if (pgpu.framework === 'passthrough' && pgpu.handedOutBy === null)
    return 'a guest or vfio-pci holds the card, and no device_spec matches it: see the findings of the card'
  if (pgpu.virtualFunctions.length > 0 && pgpu.driver !== SLICING_DRIVER)
    return `its virtual functions are on, and ${pgpu.driver ?? 'no driver'} created them: first disable them with the tool of that driver`
  return groupReason(joined, entry)
}

const refuseSliced = ({ pgpu }: JoinedPgpu): string | null => {
  if (pgpu.framework !== 'passthrough') return 'the card is not configured for passthrough'
  return pgpu.vendorId === '10de' ? null : 'the console knows no vGPU driver for the card: bind it manually'
}

const isThere = ({ pgpu }: JoinedPgpu, to: PassthroughInput['to']): boolean =>
  to === 'whole'
    ? pgpu.framework === 'passthrough' &&
      pgpu.handedOutBy !== null &&
      pgpu.driver !== null &&
      isVfioDriver(pgpu.driver)
    : pgpu.framework === 'mdev' || pgpu.framework === 'mdev-sriov' || pgpu.framework === 'vendor-vfio'

const refuseMalformed = (joined: JoinedHost, entry: JoinedPgpu): string | null => {
  const found = malformedDrivers(joined, entry, cardFunctions(joined, entry))
  return found === null ? null : malformedReason(found)
}

type Refusal = ChangeTarget & { reason: string }
export type HostPart = { draft: PassthroughDraft | null; refusals: Refusal[]; unchanged: ChangeTarget[] }

const draftHost = (
  fleet: Fleet,
  { joined, addresses, input }: { joined: JoinedHost; addresses: readonly string[]; input: PassthroughInput },
): HostPart => {
  const host = joined.host.name
  const read = readHost(fleet, joined)
  const before = pciLayoutNow(joined)
  const reason = read.reason ?? (before === null ? 'its nova.conf could not be read completely' : null)
  if (read.layout === null || before === null)
    return {
      draft: null,
      refusals: addresses.map((address) => ({ host, address, reason: reason ?? '' })),
      unchanged: [],
    }
  const part: HostPart = { draft: null, refusals: [], unchanged: [] }
  const entries: JoinedPgpu[] = []
  for (const address of addresses) {
    const entry = joined.pgpus.find(({ pgpu }) => pgpu.address === address)
    if (entry !== undefined && isThere(entry, input.to)) {
      part.unchanged.push({ host, address })
      continue
    }
    const why =
      entry === undefined
        ? 'no agent reports such a pGPU'
        : (heldReason(joined, input.held) ??
          refuseMalformed(joined, entry) ??
          (input.to === 'whole' ? refuseWhole(joined, entry) : refuseSliced(entry)) ??
          holderReason(fleet, joined, entry))
    if (why !== null) part.refusals.push({ host, address, reason: why })
    else if (entry !== undefined) entries.push(entry)
  }
  if (entries.length === 0) return part
  const isWhole = input.to === 'whole'
  const pciAfter = entries.reduce(
    (layout, entry) =>
      isWhole
        ? pciWithCard(joined, layout, { entry, alias: input.alias })
        : pciWithoutCard(joined, layout, entry),
    before,
  )
  const malformed = malformedPci(joined, before) ?? malformedPci(joined, pciAfter)
  const refusal =
    malformed === null
      ? whyNotAliases(fleet, joined, { before, after: pciAfter })
      : malformedReason(malformed)
  if (refusal !== null) {
    const left = entries.map(({ pgpu }) => ({ host, address: pgpu.address, reason: refusal }))
    return { ...part, refusals: [...part.refusals, ...left] }
  }
  return {
    ...part,
    draft: {
      joined,
      to: input.to,
      targets: entries.map((entry) => ({ entry, to: isWhole ? WHOLE_CARD : SLICEABLE })),
      types: { before: read.layout, after: isWhole ? typesWithout(read.layout, entries) : read.layout },
      pci: { before, after: pciAfter },
    },
  }
}

/** How the chosen pGPUs of each host change, and which of them are skipped. */
export function* draftPassthrough(fleet: Fleet, input: PassthroughInput): Generator<void, HostPart[]> {
  const parts: HostPart[] = []
  for (const [name, gpus] of groupBy(input.gpus, ({ host }) => host)) {
    yield
    const joined = fleet.hosts.find(({ host }) => host.name === name)
    const addresses = [...new Set(gpus.map(({ address }) => address))]
    const reason = 'no agent reports this host'
    parts.push(
      joined === undefined
        ? {
            draft: null,
            refusals: addresses.map((address) => ({ host: name, address, reason })),
            unchanged: [],
          }
        : draftHost(fleet, { joined, addresses, input }),
    )
  }
  return parts
}
