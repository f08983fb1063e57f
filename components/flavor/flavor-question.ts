import type { FlavorPageQuestion } from '@/lib/api/flavors'
import type { FlavorSort, FlavorState } from '@/lib/schemas/api/flavor'

/** What the page of flavors requests for its filter and sort order. */
export const flavorQuestion = (
  cloud: string | null,
  { q, state, sort, desc }: { q: string; state: FlavorState | null; sort: FlavorSort; desc: boolean },
): FlavorPageQuestion => ({ cloud, q: q.trim(), state, sort, desc: desc ? 'true' : 'false' })
