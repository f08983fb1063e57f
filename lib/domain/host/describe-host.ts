import type { Card } from '@/lib/domain/findings/detector'
import { detectFindings } from '@/lib/domain/findings/registry'
import { isGpu } from '@/lib/domain/pgpu/is-gpu'
import type { HostFinding } from '@/lib/domain/pgpu/types'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { describeGuests } from './describe-guests'
import { describeMdevs } from './describe-mdevs'
import {
  type HostMemory,
  recallCard,
  recallDescribed,
  recallFindings,
  recallMdevGroups,
  recallNovaOptions,
  recallNovaView,
  recallPlaces,
  recallTypeBook,
} from './host-memory'
import { readOccupancy } from './occupants'
import type { HostDescription } from './types'

const functionsOf = ({ facts }: Card): string[] => [
  facts.gpu.address,
  ...facts.gpu.virtualFunctions.map((vf) => vf.address),
]

/** The findings by the pGPU they are about; null stands for the host. */
const findingsByPlace = (located: ReturnType<typeof detectFindings>): Map<string | null, HostFinding[]> => {
  const byPlace = new Map<string | null, HostFinding[]>()
  for (const { pgpuAddress, code, severity, sentence, detail } of located) {
    const finding = { code, severity, sentence, detail }
    const held = byPlace.get(pgpuAddress)
    if (held === undefined) byPlace.set(pgpuAddress, [finding])
    else held.push(finding)
  }
  return byPlace
}

/**
 * The one reading of a report: every pGPU with its framework, types, numbers, cells and findings, every mdev and guest with
 * the pGPU it belongs to, and the lines of nova.conf. Pure: equal inventories give equal descriptions. Time and memory grow
 * with the size of the report, whatever an odd host puts into it.
 */
export const describeHost = (
  inventory: Inventory,
  /**
   * `hasRawFacts: false` leaves `rawFacts` empty, which the fleet's pages never show. With a `memory` the parts that stand
   * in it are not read again, and an unchanged pGPU is the same object as last time.
   */
  { hasRawFacts = true, memory }: { hasRawFacts?: boolean; memory?: HostMemory } = {},
): HostDescription => {
  const nova = recallNovaView(inventory, memory)
  const occupancy = readOccupancy(inventory)
  const typeBook = recallTypeBook(inventory, memory)
  const mdevGroups = recallMdevGroups(inventory, memory)
  const cards = inventory.gpus
    .filter(isGpu)
    .map((gpu) =>
      recallCard(
        { gpu, inventory, typeBook, nova, occupancy, mdevsOf: mdevGroups.byParent },
        { memory, hasRawFacts },
      ),
    )
  const places = recallPlaces(inventory, memory)
  const owners = new Map<string, Card>()
  for (const card of cards) for (const address of functionsOf(card)) owners.set(address, card)
  const novaGap = nova === null ? 'nova.conf could not be read' : nova.gap
  const wholeNova = novaGap === null ? nova : null
  const findings = findingsByPlace(
    detectFindings(
      { inventory, nova: wholeNova, novaGap, occupancy, cards, owners },
      memory === undefined ? undefined : recallFindings(memory),
    ),
  )
  return {
    pgpus: cards.map(({ pgpu }) => recallDescribed(pgpu, findings.get(pgpu.address) ?? [], memory)),
    mdevs: describeMdevs({ inventory, occupancy, owners, memory }),
    guests: describeGuests(inventory, { places, mdevOf: mdevGroups.mdevOf, memory }),
    guestGap: occupancy.gap,
    findings: findings.get(null) ?? [],
    novaOptions: recallNovaOptions(inventory, memory),
  }
}
