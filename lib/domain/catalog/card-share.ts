import { publishedSlices } from '@/lib/domain/vgpu-type/published-types'
import { parseTypeName } from '@/lib/domain/vgpu-type/type-name'

/** What separates the servers on one card. `whole`: the server has it alone. */
export type Isolation = 'time-sliced' | 'mig' | 'whole'

type Fraction = { part: number; of: number }

/** The share of one card that a server gets. */
type CardShare = {
  /** MIG: in compute slices. */
  compute: Fraction
  /** MIG: in memory slices. Null: as large as that of compute, or unknown. */
  memory: Fraction | null
  /** vGPUs that take turns in one GPU instance; null: one has it alone, or no MIG. */
  perInstance: number | null
}

/** Null: no source reports it. */
export type CardPart = { isolation: Isolation | null; share: CardShare | null }

export const WHOLE_CARD: CardPart = {
  isolation: 'whole',
  share: { compute: { part: 1, of: 1 }, memory: null, perInstance: null },
}

export const UNKNOWN_PART: CardPart = { isolation: null, share: null }

type SharedType = {
  /** `A100-1-5C`. */
  name: string
  /** Of the card. */
  model: string
  framebufferMib: number | null
  /** vGPUs of the type that one card holds. */
  maxInstance: number | null
}

/** Cards with 7 compute slices have 8 of memory, the others as many as of compute (NVIDIA MIG User Guide, Supported Profiles). */
const memorySlices = (compute: number): number => (compute === 7 ? 8 : compute)

const migPart = ({ name, model, framebufferMib, maxInstance }: SharedType, slices: number): CardPart => {
  const card = publishedSlices(name, { model, framebufferMib: null })
  if (card === null) return { isolation: 'mig', share: null }
  const of = memorySlices(card.compute)
  const instances = Math.max(1, Math.floor(card.compute / slices))
  const perInstance = Math.floor((maxInstance ?? 0) / instances)
  const isAlone = perInstance < 2
  return {
    isolation: 'mig',
    share: {
      compute: { part: slices, of: card.compute },
      memory:
        isAlone && framebufferMib !== null && card.memoryMib !== null
          ? { part: Math.min(of, Math.max(1, Math.round((framebufferMib / card.memoryMib) * of))), of }
          : null,
      perInstance: isAlone ? null : perInstance,
    },
  }
}

/** The share and the isolation of one vGPU of a type, by NVIDIA's names of types and the driver's maximum for one card. */
export const partOfType = (type: SharedType): CardPart => {
  const name = parseTypeName(type.name)
  if (name !== null && name.migSlices !== null) return migPart(type, name.migSlices)
  const { maxInstance } = type
  if (maxInstance === null || maxInstance < 1) return UNKNOWN_PART
  if (maxInstance === 1) return WHOLE_CARD
  return {
    // Other makers' drivers do not report how vGPUs share the card.
    isolation: name === null ? null : 'time-sliced',
    share: { compute: { part: 1, of: maxInstance }, memory: null, perInstance: null },
  }
}
