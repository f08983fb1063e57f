import type { Pgpu, SupportedType } from '@/lib/domain/pgpu/types'
import { type PublishedType, publishedIdsOf } from '@/lib/domain/vgpu-type/published-types'
import { readTypeFacts } from '@/lib/domain/vgpu-type/read-type'
import { parseTypeName } from '@/lib/domain/vgpu-type/type-name'

/** What a card's type names begin with: `L40S`; null when its driver names none now. */
const gpuNameOf = ({ supportedTypes }: Pick<Pgpu, 'supportedTypes'>): string | null => {
  for (const { shortName } of supportedTypes ?? []) {
    const name = parseTypeName(shortName)
    if (name !== null) return name.gpu
  }
  return null
}

const fromStore = (typeId: string, type: PublishedType): SupportedType => ({
  ...readTypeFacts({ typeId, name: null, description: null }),
  shortName: type.shortName,
  framebufferMib: type.framebufferMib,
  maxInstance: type.maxPerGpu,
  creatable: 0,
  limitReason: 'its driver lists only the types that fit next to the existing vGPUs',
  isFromStore: true,
})

/**
 * The types that a vendor-VFIO card can be planned for: those that its driver names now, and NVIDIA's published ones of
 * the GPU, because a card with a vGPU names only those that still fit. Whether the driver supports a type is checked when
 * the card is empty. Other cards: those that their driver names.
 */
export const wantedTypes = (pgpu: Pick<Pgpu, 'supportedTypes' | 'framework' | 'model'>): SupportedType[] => {
  const own = pgpu.supportedTypes ?? []
  const gpu = gpuNameOf(pgpu)
  if (pgpu.framework !== 'vendor-vfio' || gpu === null) return own
  const known = new Set(own.map(({ typeId }) => typeId))
  // Without nvidia-smi the card's framebuffer is that of its largest listed type, which may be too small.
  const published = publishedIdsOf(gpu, { model: pgpu.model, framebufferMib: null })
  const others = published.filter(({ typeId }) => !known.has(typeId))
  return [...own, ...others.map(({ typeId, type }) => fromStore(typeId, type))]
}
