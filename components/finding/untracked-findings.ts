import { SUPERSEDED_BY } from '@/lib/domain/findings/cloud/codes'
import type { TrackedFinding } from '@/lib/schemas/api/finding'
import type { FindingDto } from '@/lib/schemas/api/gpu'

/**
 * What the host says now that no round has taken up yet: rounds keep the hosts' findings too, and where the cloud tells the
 * same better under another code, that one stands.
 */
export const untrackedFindings = (
  own: readonly FindingDto[],
  tracked: readonly Pick<TrackedFinding, 'code'>[],
): FindingDto[] => {
  const codes = new Set(tracked.map(({ code }) => code))
  return own.filter(({ code }) => {
    const better = SUPERSEDED_BY.get(code)
    return !codes.has(code) && (better === undefined || !codes.has(better))
  })
}
