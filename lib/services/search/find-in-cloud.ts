import { gpuAmounts, readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import type { SearchResults } from '@/lib/schemas/api/search-results'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { factsOfCloud } from '@/lib/services/cloud-reading/facts-of-cloud'
import { compareTexts } from '@/lib/util/compare-texts'
import { MAX_RESULTS } from './find-guests'

type Named = { id: string; name: string }

/** Exact name first, then names that begin so, then the others; at most 20. */
export const firstMatches = <Item>(
  items: readonly Item[],
  text: string,
  namesOf: (item: Item) => readonly string[],
): Item[] => {
  const rank = (item: Item): number => {
    const names = namesOf(item).map((name) => name.toLowerCase())
    if (names.includes(text)) return 0
    return names.some((name) => name.startsWith(text)) ? 1 : 2
  }
  return items
    .filter((item) => namesOf(item).some((name) => name.toLowerCase().includes(text)))
    .sort((a, b) => rank(a) - rank(b) || compareTexts(namesOf(a)[0] ?? '', namesOf(b)[0] ?? ''))
    .slice(0, MAX_RESULTS)
}

const named = ({ id, name }: Named): Named => ({ id, name })
const namesOf = ({ id, name }: Named): string[] => [name, id]

/** GPU flavors and projects of the last reading round; none before it. `text` is in lower case. */
export const findInCloud = async (
  ctx: ServiceContext,
  { cloud, text }: { cloud: Cloud; text: string },
): Promise<Pick<SearchResults, 'flavors' | 'projects'>> => {
  const stored = await factsOfCloud(ctx, cloud)
  const flavors = (stored?.facts.flavors.value ?? []).filter((flavor) => {
    const request = readFlavorRequest(flavor)
    return request.aliases.length > 0 || gpuAmounts(request).size > 0
  })
  return {
    flavors: firstMatches(flavors, text, namesOf).map(named),
    projects: firstMatches(stored?.facts.projects.value ?? [], text, namesOf).map(named),
  }
}
