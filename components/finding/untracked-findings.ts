import { SUPERSEDED_BY } from '@/lib/domain/findings/cloud/codes'
import type { TrackedFinding } from '@/lib/schemas/api/finding'
import type { FindingDto } from '@/lib/schemas/api/gpu'

/**
 * The findings of the host's last report that no round has processed yet. Rounds include the hosts' findings, and some
 * codes of the cloud replace a host's code.
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
