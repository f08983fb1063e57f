import { CATALOG_LIST, CATALOG_PURPOSES } from '../choices'
import type { CatalogIsolation, CatalogPurpose, CatalogSort } from './catalog'
import { type ListChoice, type ListQuestion, listChoice, listQuestion, type SearchParams } from './list-query'

type Choice = ListChoice<CatalogSort, CatalogIsolation> & {
  for: CatalogPurpose | null
  memory: number | null
}

/** What the catalog is narrowed to and sorted by, as it is requested. */
export type CatalogQuestion = Omit<ListQuestion<CatalogSort, CatalogIsolation>, 'cloud'> & {
  for: CatalogPurpose | null
  memory: string
}

export const catalogQuestion = ({ for: purpose, memory, ...choice }: Choice): CatalogQuestion => {
  const { cloud: _, ...question } = listQuestion(null, choice)
  return { ...question, for: purpose, memory: memory === null ? '' : String(memory) }
}

/** The choice in the search params of the page, on the server. */
export const catalogChoice = (params: SearchParams): Choice => {
  const [purpose] = [params.for].flat()
  const [memory = ''] = [params.memory].flat()
  return {
    ...listChoice(CATALOG_LIST, params),
    for: CATALOG_PURPOSES.find((known) => known === purpose) ?? null,
    memory: /^\d{1,6}$/.test(memory) ? Number(memory) : null,
  }
}
