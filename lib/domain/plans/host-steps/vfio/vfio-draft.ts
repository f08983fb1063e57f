import type { JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import {
  classOfEntry,
  type PciLayout,
  pciFunctionsOf,
  pciLayoutNow,
  specFor,
} from '@/lib/domain/cloud/pci-layout'
import { pciProviderName } from '@/lib/domain/cloud/provider-name'
import { typeInstances } from '@/lib/domain/pgpu/mig-instances'
import type { SupportedType } from '@/lib/domain/pgpu/types'
import { malformedReason } from '@/lib/domain/plans/malformed/malformed'
import { malformedPci } from '@/lib/domain/plans/malformed/malformed-config'
import type { GpuDevice } from '@/lib/schemas/agent/inventory'
import { formatNoun } from '@/lib/util/format'
import type { HostTargets } from '../preview'
import { classAfter, pciLayoutAfter } from './pci-layout-after'

/** A VF whose type is removed, with its current type. */
type Typed = { address: string; typeNumber: number; typeName: string }

/** A card of vendor VFIO: which VFs lose a type, which get the new one, and which have it. */
export type VfioTarget = {
  entry: JoinedPgpu
  to: SupportedType
  toNumber: number
  clear: readonly Typed[]
  set: readonly string[]
  keep: readonly string[]
  resourceClass: string | null
  /** What Placement has of its VFs now. */
  formerClass: string | null
}

/** A host's part of the change, of cards whose type is written into their VFs. */
export type VfioDraft = Omit<HostTargets, 'targets'> & {
  targets: readonly VfioTarget[]
  before: PciLayout
  after: PciLayout
}

/** `nvidia-1152` is 1152 in `current_vgpu_type`. */
const numberOf = (typeId: string): number => Number(/(\d+)$/.exec(typeId)?.[1] ?? Number.NaN)

/** vGPUs of the type that the card is to carry; or why that is not known. */
const wantedCount = (
  { host }: JoinedHost,
  { pgpu }: JoinedPgpu,
  to: SupportedType,
): { count: number; reason: null } | { count: null; reason: string } => {
  if (!to.isMigBacked) return { count: to.maxInstance ?? 0, reason: null }
  const smi = host.inventory.nvidiaSmi?.gpus.find(({ address }) => address === pgpu.address)
  const found = typeInstances(smi ?? null, to, pgpu)
  if (found === null)
    return {
      count: null,
      reason: `${to.shortName} requires a GPU instance, and the driver does not report how many of them the card has`,
    }
  const count = found.instances.length * found.perInstance
  return count > 0
    ? { count, reason: null }
    : {
        count: null,
        reason: `${to.shortName} requires a GPU instance, and the card has none for it: first create them with nvidia-smi mig`,
      }
}

const nameOf = ({ pgpu }: JoinedPgpu, typeNumber: number): string =>
  pgpu.supportedTypes?.find(({ typeId }) => numberOf(typeId) === typeNumber)?.shortName ??
  `nvidia-${typeNumber}`

/** VFs of a card that carry a vGPU type. */
export const typedVfs = ({ host }: JoinedHost, entry: JoinedPgpu): Typed[] =>
  (host.inventory.gpus.find(({ address }) => address === entry.pgpu.address)?.virtualFunctions ?? []).flatMap(
    ({ address, vendorVfio }) => {
      const typeNumber = vendorVfio?.currentType ?? 0
      return typeNumber > 0 ? [{ address, typeNumber, typeName: nameOf(entry, typeNumber) }] : []
    },
  )

type ReadTarget = { target: VfioTarget; reason: null } | { target: null; reason: string }

const readTarget = (
  joined: JoinedHost,
  before: PciLayout,
  { entry, to, wished }: { entry: JoinedPgpu; to: SupportedType; wished: string | null },
): ReadTarget => {
  const no = (reason: string): ReadTarget => ({ target: null, reason })
  const device = joined.host.inventory.gpus.find(({ address }: GpuDevice) => address === entry.pgpu.address)
  const functions = (device?.virtualFunctions ?? []).filter(({ vendorVfio }) => vendorVfio !== null)
  const unread = functions.find(({ vendorVfio }) => vendorVfio?.currentType == null)
  if (unread !== undefined) return no(`the vGPU type of ${unread.address} could not be read`)
  const { count, reason } = wantedCount(joined, entry, to)
  if (count === null) return no(reason)
  if (count > functions.length)
    return no(
      `it has ${formatNoun(functions.length, 'VF')} and ${count} ${to.shortName} would fit: enable all with sriov-manage -d and -e, which removes the vGPU types and GPU instances of the card`,
    )
  const toNumber = numberOf(to.typeId)
  const typeOf = new Map(functions.map(({ address, vendorVfio }) => [address, vendorVfio?.currentType ?? 0]))
  const of = (isWanted: (typeNumber: number) => boolean): string[] =>
    [...typeOf].filter(([, typeNumber]) => isWanted(typeNumber)).map(([address]) => address)
  const keep = of((typeNumber) => typeNumber === toNumber)
  const clear = of((typeNumber) => typeNumber > 0 && typeNumber !== toNumber).map((address) => {
    const typeNumber = typeOf.get(address) ?? 0
    return { address, typeNumber, typeName: nameOf(entry, typeNumber) }
  })
  const set = of((typeNumber) => typeNumber !== toNumber).slice(0, Math.max(0, count - keep.length))
  const [first] = pciFunctionsOf(entry).flatMap((one) => specFor(before, one) ?? [])
  const provider = entry.providers.find(({ kind }) => kind === 'pci')?.provider
  const formerClass =
    Object.keys(provider?.inventories ?? {})[0] ?? (first === undefined ? null : classOfEntry(first))
  const resourceClass = classAfter(joined, before, { entry, to, wished })
  return { target: { entry, to, toNumber, clear, set, keep, resourceClass, formerClass }, reason: null }
}

/** Every VF that is to carry a type has it, and no other has one. */
const isThere = ({ clear, set, keep, resourceClass, formerClass }: VfioTarget): boolean =>
  clear.length === 0 &&
  keep.length > 0 &&
  set.length === 0 &&
  (resourceClass === null || formerClass === null || resourceClass === formerClass)

type VfioChange = {
  targets: readonly { entry: JoinedPgpu; to: SupportedType }[]
  resourceClass: string | null
}

type Drafted = {
  draft: VfioDraft | null
  refusals: { address: string; reason: string }[]
  unchanged: string[]
}

/** A host's vendor-VFIO cards for a plan: what can't be done is refused one card at a time. */
export const draftVfio = (joined: JoinedHost, { targets, resourceClass }: VfioChange): Drafted => {
  const before = pciLayoutNow(joined)
  if (before === null) {
    const reason =
      'its nova.conf could not be read completely, so the assigned devices are unknown. See its problems'
    return {
      draft: null,
      refusals: targets.map(({ entry }) => ({ address: entry.pgpu.address, reason })),
      unchanged: [],
    }
  }
  const drafted: Drafted = { draft: null, refusals: [], unchanged: [] }
  const taken: VfioTarget[] = []
  let after = before
  for (const { entry, to } of targets) {
    const { address } = entry.pgpu
    const { target, reason } = readTarget(joined, before, { entry, to, wished: resourceClass })
    if (target === null) {
      drafted.refusals.push({ address, reason })
      continue
    }
    if (isThere(target)) {
      drafted.unchanged.push(address)
      continue
    }
    const next = pciLayoutAfter(joined, after, {
      entry,
      from: entry.pgpu.currentType,
      to,
      given: [...target.keep, ...target.set].toSorted(),
      resourceClass: target.resourceClass,
    })
    const malformed =
      next.layout === null ? null : (malformedPci(joined, before) ?? malformedPci(joined, next.layout))
    if (next.layout === null) drafted.refusals.push({ address, reason: next.reason })
    else if (malformed !== null) drafted.refusals.push({ address, reason: malformedReason(malformed) })
    else {
      after = next.layout
      taken.push(target)
    }
  }
  return taken.length === 0 ? drafted : { ...drafted, draft: { joined, targets: taken, before, after } }
}

/** The provider under which Placement has the VFs of a pGPU. */
export const pciProviderFor = (
  { root, hypervisor, host }: JoinedHost,
  { pgpu }: JoinedPgpu,
): { address: string; name: string } => ({
  address: pgpu.address,
  name: pciProviderName({
    hypervisorHostname: root.value?.name ?? hypervisor.value?.hypervisorHostname ?? host.name,
    address: pgpu.address,
  }),
})
