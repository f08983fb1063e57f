import type { NvidiaSmi } from '@/lib/schemas/agent/inventory'
import { type PublishedCard, publishedType } from './published-types'
import { readTypeFacts, type TypeFacts } from './read-type'

/** What nvidia-smi reports of a type on one card. */
export type SmiType = NonNullable<NvidiaSmi['gpus'][number]['vgpuTypes']>[number]

/**
 * A type of vendor VFIO, whose files have an id and a name only. How many fit is what the driver reports to nvidia-smi; where it
 * reports nothing, what was published for this card.
 */
export const readVendorType = ({
  typeId,
  name,
  card,
  reported = null,
}: {
  typeId: string
  name: string | null
  card: PublishedCard
  /** Null: not reported. */
  reported?: SmiType | null
}): TypeFacts => {
  const facts = readTypeFacts({ typeId, name: name ?? reported?.name ?? null, description: null })
  const published = facts.name === null ? null : publishedType(facts.shortName, card)
  return {
    ...facts,
    maxInstance: reported?.maxInstances ?? published?.maxPerGpu ?? null,
    framebufferMib: reported?.framebufferMib ?? published?.framebufferMib ?? facts.framebufferMib,
  }
}
