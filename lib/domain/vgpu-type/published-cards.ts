import { PUBLISHED_ROWS } from './published-type-table'
import { type PublishedType, publishedTypesOf } from './published-types'

/** A card of the table of cards, with its vGPU types. */
export type PublishedCardTypes = {
  /** `NVIDIA L40S`; where the table has only the name in the type names, that: `NVIDIA A100DX`. */
  model: string
  /** What the names of the types begin with: `L40S`. */
  gpu: string
  types: readonly PublishedType[]
}

let cards: readonly PublishedCardTypes[] | null = null

const readCards = (): PublishedCardTypes[] => {
  const found = new Map<string, PublishedCardTypes>()
  for (const { gpu, model } of PUBLISHED_ROWS) {
    const name = `NVIDIA ${model ?? gpu}`
    if (found.has(name)) continue
    const types = publishedTypesOf({ model: model ?? null, framebufferMib: null })
    found.set(name, {
      model: name,
      gpu,
      types: types.filter(({ shortName }) => shortName.startsWith(`${gpu}-`)),
    })
  }
  return [...found.values()]
}

/** All cards with published vGPU types. */
export const publishedCards = (): readonly PublishedCardTypes[] => {
  cards ??= readCards()
  return cards
}
