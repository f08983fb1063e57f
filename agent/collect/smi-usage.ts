import type { Samples } from '@/lib/schemas/agent/samples'
import { canonicalAddress, isUuid } from './identifiers'
import { nodesNamed, parseSmiText, type SmiNode, smiValue } from './smi-text'

/** What `nvidia-smi -q` and `nvidia-smi vgpu -q` printed; null: nothing. */
export type SmiTexts = { gpuText: string | null; vgpuText: string | null }

type Usage = { totalMib: number | null; utilization: number | null; usedMib: number | null }
export type VgpuUsage = Usage & { vgpu: string; guestUuid: string | null }
/** Of one pGPU at one moment; null: nvidia-smi does not tell (`N/A`, MIG). */
export type GpuUsage = Usage & { address: Samples['gpus'][number]['address']; vgpus: VgpuUsage[] }

const numberOf = (value: string | null, form: RegExp): number | null => {
  const digits = form.exec(value ?? '')?.[1]
  return digits === undefined ? null : Number(digits)
}
const MIB = /^(\d{1,8}) MiB$/
const PERCENT = /^(\d{1,3}) %$/

const percentOf = (node: SmiNode): number | null => {
  // The driver's later releases write it in capitals.
  const value = smiValue(node, 'Utilization', 'Gpu') ?? smiValue(node, 'Utilization', 'GPU')
  const percent = numberOf(value, PERCENT)
  return percent === null ? null : Math.min(percent, 100)
}

const usageOf = (node: SmiNode): Usage => ({
  totalMib: numberOf(smiValue(node, 'FB Memory Usage', 'Total'), MIB),
  utilization: percentOf(node),
  usedMib: numberOf(smiValue(node, 'FB Memory Usage', 'Used'), MIB),
})

const uuidOf = (value: string | null): string | null => {
  const uuid = value?.toLowerCase() ?? ''
  return isUuid(uuid) ? uuid : null
}

const vgpusOf = (node: SmiNode): VgpuUsage[] =>
  nodesNamed(node, 'vGPU ID').map((one) => ({
    vgpu: uuidOf(smiValue(one, 'MDEV UUID')) ?? one.value.slice(0, 64),
    guestUuid: uuidOf(smiValue(one, 'VM UUID')),
    ...usageOf(one),
  }))

const blocksOf = (text: string | null): Map<string, SmiNode> =>
  new Map(
    nodesNamed(parseSmiText(text ?? ''), 'GPU').flatMap((node) => {
      const address = canonicalAddress(node.value)
      return address === null ? [] : [[address, node]]
    }),
  )

/** Utilization and framebuffer of the pGPUs that nvidia-smi sees, and of the vGPUs that guests run with. */
export const parseUsage = ({ gpuText, vgpuText }: SmiTexts): GpuUsage[] => {
  const vgpus = blocksOf(vgpuText)
  return [...blocksOf(gpuText)].map(([address, node]) => {
    const vgpuNode = vgpus.get(address)
    return { address, ...usageOf(node), vgpus: vgpuNode === undefined ? [] : vgpusOf(vgpuNode) }
  })
}
