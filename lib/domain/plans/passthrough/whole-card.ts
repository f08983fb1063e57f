import type { SupportedType } from '@/lib/domain/pgpu/types'
import { readTypeFacts } from '@/lib/domain/vgpu-type/read-type'

/** The text in place of a vGPU type for a card in passthrough. */
export const WHOLE_CARD: SupportedType = {
  ...readTypeFacts({ typeId: 'passthrough', name: null, description: null }),
  shortName: 'whole card',
  maxInstance: 1,
  creatable: 1,
  limitReason: null,
  isFromStore: false,
}

/** In the place of a vGPU type where a card is back under its driver, and no type has been chosen yet. */
export const SLICEABLE: SupportedType = {
  ...WHOLE_CARD,
  typeId: 'sliceable',
  shortName: 'card for vGPUs',
  maxInstance: 0,
  creatable: 0,
}
