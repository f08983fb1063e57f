import type { HostFacts } from '@/lib/domain/host-findings/detector'
import { detectOnHost } from '@/lib/domain/host-findings/registry'
import { describeNovaOptions } from '@/lib/domain/nova-config/describe-options'
import type { DeviceSpec } from '@/lib/domain/nova-config/device-spec'
import { listedIn } from '@/lib/domain/nova-config/listed-functions'
import type { NovaRange } from '@/lib/domain/nova-config/nova-releases'
import { rangeOf, readNovaView } from '@/lib/domain/nova-config/nova-view'
import { type DescriptionDetail, describePgpu } from '@/lib/domain/pgpu/describe-pgpu'
import { isGpu } from '@/lib/domain/pgpu/is-gpu'
import { type Occupancy, readOccupancy } from '@/lib/domain/pgpu/occupants'
import { type Card, readPgpuFacts } from '@/lib/domain/pgpu/pgpu-facts'
import type { HostFinding } from '@/lib/domain/pgpu/types'
import { readTypeFacts } from '@/lib/domain/vgpu-type/read-type'
import type { GpuDevice, Inventory, Mdev } from '@/lib/schemas/agent/inventory'
import { describeGuests } from './describe-guests'
import { describeMdevs } from './describe-mdevs'
import type { HostDescription } from './types'

const mdevsOn = ({ address, virtualFunctions }: GpuDevice, mdevs: readonly Mdev[] | null): Mdev[] | null => {
  if (virtualFunctions.length === 0) return mdevs?.filter(({ parent }) => parent === address) ?? null
  const own = new Set([address, ...virtualFunctions.map((vf) => vf.address)])
  return mdevs?.filter(({ parent }) => own.has(parent)) ?? null
}

const readCards = (
  inventory: Inventory,
  { nova, occupancy, detail }: { nova: HostFacts['nova']; occupancy: Occupancy; detail: DescriptionDetail },
): Card[] => {
  const all = nova?.deviceSpecs.specs ?? []
  // What matches a card is found once for each list.
  const specs = all.every(isNamed) ? all : all.filter(isNamed)
  const typeBook = inventory.vgpuTypes.map(readTypeFacts)
  return inventory.gpus
    .filter((gpu) => isGpu(gpu, inventory.vgpuTypes) || isAssigned(gpu, specs))
    .map((gpu) => {
      const mdevs = mdevsOn(gpu, inventory.mdevs)
      const facts = readPgpuFacts({ gpu, inventory, typeBook, nova, occupancy, mdevs })
      return { facts, pgpu: describePgpu(facts, detail) }
    })
}

/**
 * An accelerator of any vendor that Nova assigns by an entry which names it. An entry that matches every device does not count.
 * The agent lists display controllers and accelerators only.
 */
const isAssigned = (gpu: GpuDevice, named: readonly DeviceSpec[]): boolean =>
  gpu.vendorId !== null && listedIn(named, gpu).length > 0

const isNamed = ({ vendor_id, product_id, address }: DeviceSpec): boolean =>
  (vendor_id ?? product_id ?? address) !== undefined

/** The card that each function belongs to: the card's own address, and its VFs. */
const ownersOf = (cards: readonly Card[]): HostFacts['owners'] => {
  const owners = new Map<string, Card>()
  for (const card of cards) {
    const { address, virtualFunctions } = card.facts.gpu
    owners.set(address, card)
    for (const vf of virtualFunctions) owners.set(vf.address, card)
  }
  return owners
}

/** By the address of the pGPU; null is the host itself. */
const findingsOf = (host: HostFacts): Map<string | null, HostFinding[]> => {
  const byAddress = new Map<string | null, HostFinding[]>()
  for (const { pgpuAddress, code, severity, sentence, detail } of detectOnHost(host)) {
    const finding = { code, severity, sentence, detail }
    const held = byAddress.get(pgpuAddress)
    if (held === undefined) byAddress.set(pgpuAddress, [finding])
    else held.push(finding)
  }
  return byAddress
}

/**
 * Interprets an inventory: every pGPU with its framework, types, numbers, cells and findings, every mdev and guest with
 * its pGPU, and the lines of nova.conf. Pure: equal inventories give equal descriptions. Time and memory grow linearly
 * with the size of the report, for any content. `detail`: what is left empty. `range`: the releases of the cloud's Nova,
 * whose rules apply if the agent does not report the version of nova-compute; null: those of the newest.
 */
export const describeHost = (
  inventory: Inventory,
  { detail = 'page', range = null }: { detail?: DescriptionDetail; range?: NovaRange | null } = {},
): HostDescription => {
  const occupancy = readOccupancy(inventory)
  const own = rangeOf(inventory, range)
  const view = readNovaView(inventory, own)
  const cards = readCards(inventory, { nova: view, occupancy, detail })
  const novaGap = view === null ? 'nova.conf could not be read' : view.gap
  const nova = novaGap === null ? view : null
  const owners = ownersOf(cards)
  const findings = findingsOf({ inventory, range: own, nova, novaGap, occupancy, cards, owners })
  return {
    pgpus: cards.map(({ pgpu }) => ({ ...pgpu, findings: findings.get(pgpu.address) ?? [] })),
    mdevs: describeMdevs(inventory, { occupancy, owners, cards }),
    guests: describeGuests(inventory, { owners, cards }),
    guestGap: occupancy.gap,
    findings: findings.get(null) ?? [],
    novaOptions:
      inventory.novaConfig === null || detail !== 'page' ? null : describeNovaOptions(inventory.novaConfig),
  }
}
