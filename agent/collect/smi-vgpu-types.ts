import type { NvidiaSmi } from '@/lib/schemas/agent/inventory'
import { fact } from './clean-text'
import { canonicalAddress, countFrom } from './identifiers'
import { nodesNamed, parseSmiText, type SmiNode, smiValue } from './smi-text'

type SmiType = NonNullable<NvidiaSmi['gpus'][number]['vgpuTypes']>[number]

/** The contract's bound. */
const MAX_TYPES = 512

/** `0x5ee`, or decimal as older drivers print it. */
const idOf = (text: string): number | null =>
  /^0x[0-9a-f]{1,5}$/i.test(text) ? Number.parseInt(text, 16) : countFrom(text)

const typeOf = (node: SmiNode): SmiType | null => {
  const id = idOf(node.value)
  if (id === null || id > 1_000_000) return null
  const size = /^(\d+) MiB$/.exec(smiValue(node, 'FB Memory') ?? '')?.[1] ?? null
  return {
    id,
    name: fact(smiValue(node, 'Name')),
    framebufferMib: countFrom(size),
    maxInstances: countFrom(smiValue(node, 'Max Instances')),
    maxPerInstance: countFrom(smiValue(node, 'Max Instances Per GI')),
    profileId: countFrom(smiValue(node, 'GPU Instance Profile ID')),
  }
}

/** Reads `nvidia-smi vgpu -s -v`: the types that each GPU supports, by its address; empty when it is another text. */
export const parseVgpuTypes = (text: string): Map<string, SmiType[]> => {
  const byAddress = new Map<string, SmiType[]>()
  for (const gpu of nodesNamed(parseSmiText(text), 'GPU')) {
    const address = canonicalAddress(gpu.value)
    if (address === null) continue
    const types = nodesNamed(gpu, 'vGPU Type ID')
      .flatMap((node) => typeOf(node) ?? [])
      .sort((a, b) => a.id - b.id)
    byAddress.set(address, types.slice(0, MAX_TYPES))
  }
  return byAddress
}
