import { listText } from '@/lib/domain/wording'
import type { GpuDevice, GroupDevice } from '@/lib/schemas/agent/inventory'
import { isVfioDriver } from './vfio-driver'

/** Another member of a pGPU's IOMMU group. */
type GroupMember = {
  address: string
  /** `audio device`, `PCI bridge`; null: its class was not read. */
  kind: string | null
  /** `10de:10f8`. */
  pciId: string | null
  /** Null: none is bound. */
  driver: string | null
  /** While its driver holds it no guest gets any member of the group. */
  isInTheWay: boolean
}

/**
 * Whether a whole IOMMU group can be assigned to a guest. `value` null: unknown; `reason` has the reason why it is not
 * true.
 */
type GroupIsolation = { value: true; reason: null } | { value: false | null; reason: string }

/** The facts of a group; `members` null: their drivers are not reported. */
export type IommuGroup = { members: GroupMember[] | null; isolation: GroupIsolation }

/** Base classes of PCI, and the sub-classes that occur with GPUs. Source: PCI Code and ID Assignment Specification. */
const KINDS: readonly (readonly [prefix: string, kind: string])[] = [
  ['0403', 'audio device'],
  ['03', 'GPU'],
  ['0604', 'PCI bridge'],
  ['06', 'bridge'],
  ['0c03', 'USB controller'],
  ['0c80', 'serial bus controller'],
  ['02', 'network card'],
  ['01', 'storage controller'],
  ['12', 'accelerator'],
]

const kindOf = ({ classCode }: GroupDevice): string | null =>
  classCode === null
    ? null
    : (KINDS.find(([prefix]) => classCode.startsWith(prefix))?.[1] ?? `device of class ${classCode}`)

/** The drivers, in addition to vfio's own, that do not use DMA (driver_managed_dma in the kernel). */
const STANDS_ASIDE = new Set(['pci-stub', 'pcieport'])

const isBridge = ({ classCode }: GroupDevice): boolean => classCode?.startsWith('0604') === true

const isInTheWay = (device: GroupDevice): boolean =>
  device.driver !== null &&
  !isBridge(device) &&
  !STANDS_ASIDE.has(device.driver) &&
  !isVfioDriver(device.driver)

const memberOf = (device: GroupDevice): GroupMember => ({
  address: device.address,
  kind: kindOf(device),
  pciId:
    device.vendorId === null || device.deviceId === null ? null : `${device.vendorId}:${device.deviceId}`,
  driver: device.driver,
  isInTheWay: isInTheWay(device),
})

const wordsFor = ({ address, kind, driver }: GroupMember): string =>
  `${address}${kind === null ? '' : ` (${kind})`} is bound to ${driver ?? 'nothing'}`

/**
 * The other members of a pGPU's IOMMU group and whether all of them leave it to a guest: each is bound to vfio-pci, pci-stub
 * or nothing, or is a bridge. The pGPU's own driver does not count. Source: drivers/vfio/vfio_main.c,
 * iommu_group_claim_dma_owner.
 */
export const readIommuGroup = (gpu: GpuDevice): IommuGroup => {
  const no = (reason: string): GroupIsolation => ({ value: null, reason })
  if (gpu.iommuGroup === null) return { members: null, isolation: no('the kernel shows no IOMMU group') }
  if (gpu.iommuGroupMembers.length === 0) return { members: [], isolation: { value: true, reason: null } }
  const devices = gpu.iommuGroupDevices
  if (devices === undefined)
    return { members: null, isolation: no('its agent does not report the drivers of the other members') }
  if (devices === null) return { members: null, isolation: no('a member of the group could not be read') }
  const members = devices.map(memberOf)
  const blocking = members.filter((member) => member.isInTheWay)
  if (blocking.length === 0) return { members, isolation: { value: true, reason: null } }
  return { members, isolation: { value: false, reason: listText(blocking.map(wordsFor)) } }
}
