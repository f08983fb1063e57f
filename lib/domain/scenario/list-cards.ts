import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { publishedCards } from '@/lib/domain/vgpu-type/published-cards'
import { parseTypeName } from '@/lib/domain/vgpu-type/type-name'

/** A card that new hosts can have. */
export type CardChoice = { model: string; types: string[] }

/** The table of cards. A card of the fleet has the name by which its hosts report it. */
export const listCards = ({ hosts }: Fleet): CardChoice[] => {
  const models = new Map<string, string>()
  for (const { pgpus } of hosts)
    for (const { pgpu } of pgpus) {
      const gpu = parseTypeName((pgpu.currentType ?? pgpu.supportedTypes?.[0])?.shortName ?? '')?.gpu
      if (gpu !== undefined && !models.has(gpu)) models.set(gpu, pgpu.model)
    }
  return publishedCards().map(({ model, gpu, types }) => ({
    // Several cards have types whose names begin with DC.
    model: gpu === 'DC' ? model : (models.get(gpu) ?? model),
    types: types.map(({ shortName }) => shortName),
  }))
}
