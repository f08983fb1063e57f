import { detectFindings } from '@/lib/domain/findings/registry'
import { describeNovaOptions } from '@/lib/domain/nova-config/describe-options'
import { describePgpu } from '@/lib/domain/pgpu/describe-pgpu'
import { isGpu } from '@/lib/domain/pgpu/is-gpu'
import { readPgpuFacts } from '@/lib/domain/pgpu/pgpu-facts'
import type { HostFinding } from '@/lib/domain/pgpu/types'
import { readTypeFacts } from '@/lib/domain/vgpu-type/read-type'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { describeGuests } from './describe-guests'
import { describeMdevs } from './describe-mdevs'
import { readNovaView } from './nova-view'
import { readOccupancy } from './occupants'
import type { HostDescription } from './types'

/**
 * The one reading of a report: every pGPU with its framework, types, numbers, cells and findings, every mdev and guest with
 * the pGPU it belongs to, and the lines of nova.conf. Pure: equal inventories give equal descriptions.
 */
export const describeHost = (
  inventory: Inventory,
  /** `hasRawFacts: false` leaves `rawFacts` empty, which the fleet's pages never show. */
  { hasRawFacts = true }: { hasRawFacts?: boolean } = {},
): HostDescription => {
  const nova = readNovaView(inventory)
  const occupancy = readOccupancy(inventory)
  const typeBook = inventory.vgpuTypes.map(readTypeFacts)
  const facts = inventory.gpus
    .filter(isGpu)
    .map((gpu) => readPgpuFacts({ gpu, inventory, typeBook, nova, occupancy }))
  const cards = facts.map((card) => ({ facts: card, pgpu: describePgpu(card, hasRawFacts) }))
  const located = detectFindings({ inventory, nova, occupancy, cards })
  const findingsOf = (address: string | null): HostFinding[] =>
    located
      .filter((finding) => finding.pgpuAddress === address)
      .map(({ code, severity, sentence, detail }) => ({ code, severity, sentence, detail }))
  return {
    pgpus: cards.map(({ pgpu }) => ({ ...pgpu, findings: findingsOf(pgpu.address) })),
    mdevs: describeMdevs({ inventory, occupancy, facts }),
    guests: describeGuests(inventory, facts),
    findings: findingsOf(null),
    novaOptions: inventory.novaConfig === null ? null : describeNovaOptions(inventory.novaConfig),
  }
}
