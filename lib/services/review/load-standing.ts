import 'server-only'
import { type StandingCard, standingCards } from '@/lib/domain/review/standing'
import type { Query } from '@/lib/server/database/database'
import { loadStateBefore, loadWatches } from '@/lib/services/history/load-history'

/** The pGPUs of the hosts as their histories left them at a moment (ms), and who was watched then. */
export const loadStanding = async (
  query: Query,
  { hostIds, at }: { hostIds: readonly number[]; at: number },
): Promise<StandingCard[]> => {
  const events = await loadStateBefore(query, { hostIds, subjects: 'pgpus', at: new Date(at) })
  const watches = await loadWatches(query, { hostIds, from: new Date(at - 1), until: new Date(at) })
  return standingCards(events, new Set(watches.map(({ hostId }) => hostId)))
}
