import type { Card } from '@/lib/domain/pgpu/pgpu-facts'
import { listText } from '@/lib/domain/wording'
import {
  type CardDetector,
  type HostDetector,
  type HostParts,
  type LocatedFinding,
  NOTHING,
  onEachCard,
} from './detector'

const isHeldByRunning = ({ pgpu }: Card, { occupancy }: HostParts): boolean =>
  (occupancy.byPciAddress.get(pgpu.address) ?? []).some(({ state }) => state === 'running')

/** Drivers of the host that hold other members. */
const heldBy = ({ iommu }: Card['pgpu']): string =>
  listText([
    ...new Set((iommu.members ?? []).flatMap(({ isInTheWay, driver }) => (isInTheWay ? (driver ?? []) : []))),
  ])

const blocked = ({ pgpu }: Card, reason: string): LocatedFinding => ({
  code: 'iommu-group-not-isolated',
  severity: 'error',
  sentence: `IOMMU group ${pgpu.iommuGroup} is not isolated: held by ${heldBy(pgpu)}`,
  detail: `${reason}. No member of IOMMU group ${pgpu.iommuGroup} can be assigned to a guest while a host driver holds another member: QEMU fails with "group ${pgpu.iommuGroup} is not viable". Bind every member to vfio-pci at boot, or move the card to a slot with a separate group.`,
  pgpuAddress: pgpu.address,
})

const shared = ({ pgpu }: Card, others: string[]): LocatedFinding => ({
  code: 'iommu-group-not-isolated',
  severity: 'warning',
  sentence: `IOMMU group ${pgpu.iommuGroup} is shared with ${listText(others)}, so one server gets both`,
  detail: `A group can be assigned to one guest at a time. While a server has ${pgpu.address}, no other server can get ${listText(others)}, and Nova does not know this. Move the cards to slots with separate groups.`,
  pgpuAddress: pgpu.address,
})

/** A card for passthrough whose group a driver of the host holds, or which shares its group with another pGPU. */
const detect: CardDetector = (card, host) => {
  const { pgpu, facts } = card
  if (pgpu.framework !== 'passthrough' || !facts.units.includes(pgpu.address)) return NOTHING
  const { isolation } = pgpu.iommu
  if (isolation.value === false && !isHeldByRunning(card, host)) return [blocked(card, isolation.reason)]
  const gpus = new Set(host.inventory.gpus.map(({ address }) => address))
  const others = pgpu.iommuGroupMembers.filter((address) => gpus.has(address))
  return isolation.value === true && others.length > 0 ? [shared(card, others)] : NOTHING
}

export const iommuGroupNotIsolated: HostDetector = {
  findings: {
    'iommu-group-not-isolated': {
      title: 'The IOMMU group of a pGPU for passthrough is not isolated',
      severities: ['error', 'warning'],
      detection:
        'sysfs: the IOMMU group of a pGPU for passthrough has members that a driver of the host or another pGPU uses.',
      consequence: 'Servers that are assigned the card do not start, or also claim another card.',
      nextStep: 'Bind every other member of the group to vfio-pci at boot, or move the card to another slot.',
      source: 'hardware',
    },
  },
  detect: onEachCard(detect),
}
