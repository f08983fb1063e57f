import type { NvidiaSmi } from '@/lib/schemas/agent/inventory'
import { fact } from './clean-text'
import { canonicalAddress, countFrom, isUuid } from './identifiers'
import { parseSmiTable } from './smi-table'
import { nodesNamed, parseSmiText, type SmiNode, smiValue } from './smi-text'

/** The contract's bound. */
const MAX_VGPUS = 256

export type SmiGpu = NvidiaSmi['gpus'][number]
type SmiVgpu = SmiGpu['vgpus'][number]

const switchOf = (value: string | null): 'enabled' | 'disabled' | null => {
  const word = value?.toLowerCase()
  return word === 'enabled' || word === 'disabled' ? word : null
}

const uuidOf = (value: string | null): string | null => {
  const uuid = value?.toLowerCase() ?? ''
  return isUuid(uuid) ? uuid : null
}

/** `Licensed (Expiry: 2026-12-31 …)` without the date, which moves at every renewal. */
const licenseOf = (value: string | null): string | null => fact(value?.split('(', 1)[0])

const vgpuOf = (node: SmiNode): SmiVgpu => ({
  vgpuId: fact(node.value) ?? '',
  guestUuid: uuidOf(smiValue(node, 'VM UUID')),
  guestName: fact(smiValue(node, 'VM Name')),
  typeName: fact(smiValue(node, 'vGPU Name')),
  mdevUuid: uuidOf(smiValue(node, 'MDEV UUID')),
  licenseStatus: licenseOf(smiValue(node, 'License Status')),
  guestDriverVersion: fact(smiValue(node, 'Guest Driver Version')),
})

type Block = { address: string; node: SmiNode }

const gpuBlocks = (root: SmiNode): Block[] =>
  nodesNamed(root, 'GPU').flatMap((node) => {
    const address = canonicalAddress(node.value)
    return address === null ? [] : [{ address, node }]
  })

const vgpusOf = ({ node }: Block): SmiVgpu[] =>
  nodesNamed(node, 'vGPU ID')
    .map(vgpuOf)
    .sort((a, b) => (a.vgpuId < b.vgpuId ? -1 : 1))
    .slice(0, MAX_VGPUS)

const gpuOf = ({ address, node }: Block): Omit<SmiGpu, 'vgpus'> => ({
  address,
  name: fact(smiValue(node, 'Product Name')),
  uuid: fact(smiValue(node, 'GPU UUID')),
  framebufferMib: countFrom(
    /^(\d+) MiB$/.exec(smiValue(node, 'FB Memory Usage', 'Total') ?? '')?.[1] ?? null,
  ),
  migMode: switchOf(smiValue(node, 'MIG Mode', 'Current')),
  gpuInstances: null,
  heterogeneousMode: switchOf(smiValue(node, 'GPU Virtualization Mode', 'vGPU Heterogeneous Mode')),
})

const isHostVgpu = ({ node }: Block): boolean =>
  smiValue(node, 'GPU Virtualization Mode', 'Virtualization Mode')?.toLowerCase() === 'host vgpu'

/** What one command of nvidia-smi printed. */
export type SmiOutput = {
  driverVersion: string | null
  /** By address. */
  gpus: Map<string, SmiGpu>
  /** Addresses by nvidia-smi's index; null: all GPUs are not in the output, so that no index is known. */
  order: (string | null)[] | null
  /** A GPU is in the mode in which it hosts vGPUs. */
  hostsVgpus: boolean
}

/** `nvidia-smi -q` or `nvidia-smi vgpu -q`: one form, other keys. */
export const fromQuery = (text: string): SmiOutput => {
  const root = parseSmiText(text)
  const blocks = gpuBlocks(root)
  const gpus = blocks.map((block): [string, SmiGpu] => [
    block.address,
    { ...gpuOf(block), vgpus: vgpusOf(block) },
  ])
  const order = nodesNamed(root, 'GPU').map(({ value }) => canonicalAddress(value))
  const attached = countFrom(smiValue(root, 'Attached GPUs')) ?? 0
  return {
    driverVersion: fact(smiValue(root, 'Driver Version')),
    gpus: new Map(gpus),
    order: order.length < attached ? null : order,
    hostsVgpus: blocks.some(isHostVgpu),
  }
}

/** The table form, which has fewer values. */
export const fromTable = (text: string): SmiOutput => {
  const table = parseSmiTable(text)
  const gpus = table.gpus.map(({ address, name, vgpus }): [string, SmiGpu] => [
    address,
    {
      address,
      name: fact(name),
      uuid: null,
      framebufferMib: null,
      migMode: null,
      gpuInstances: null,
      heterogeneousMode: null,
      vgpus: vgpus.slice(0, MAX_VGPUS).map((vgpu) => ({
        vgpuId: vgpu.vgpuId,
        guestUuid: null,
        guestName: fact(vgpu.guestName),
        typeName: fact(vgpu.typeName),
        mdevUuid: null,
        licenseStatus: null,
      })),
    },
  ])
  return {
    driverVersion: fact(table.driverVersion),
    gpus: new Map(gpus),
    order: null,
    hostsVgpus: false,
  }
}
