import { describeHost } from '@/lib/domain/host/describe-host'
import { HOST_FINDINGS } from '@/lib/domain/host-findings/registry'
import type { NovaRange } from '@/lib/domain/nova-config/nova-releases'
import type { HostFinding, Pgpu, PgpuNumbers } from '@/lib/domain/pgpu/types'
import type { Inventory } from '@/lib/schemas/agent/inventory'

/** The pGPU of an inventory at an address, or its first one. */
export const pgpuOf = (inventory: Inventory, address?: string): Pgpu => {
  const pgpu = describeHost(inventory).pgpus.find(
    (candidate) => address === undefined || candidate.address === address,
  )
  if (pgpu === undefined) throw new Error(`the inventory has no pGPU ${address ?? ''}`)
  return pgpu
}

/** The plain values of a pGPU's numbers. */
export const valuesOf = ({ numbers }: { numbers: PgpuNumbers }): Record<string, number | null> =>
  Object.fromEntries(Object.entries(numbers).map(([name, { value }]) => [name, value]))

/** Every finding of a host and its pGPUs. Fails for a code that no detector has. */
export const findingsOf = (inventory: Inventory, range: NovaRange | null = null): HostFinding[] => {
  const { findings, pgpus } = describeHost(inventory, { range })
  const all = [...findings, ...pgpus.flatMap((pgpu) => pgpu.findings)]
  for (const { code } of all)
    if (!(code in HOST_FINDINGS)) throw new Error(`no detector has the code ${code}`)
  return all
}

/** `severity: sentence` of the findings with a code; empty when there is none. */
export const sentencesOf = (inventory: Inventory, code: string): string[] =>
  findingsOf(inventory)
    .filter((finding) => finding.code === code)
    .map((finding) => `${finding.severity}: ${finding.sentence}`)
