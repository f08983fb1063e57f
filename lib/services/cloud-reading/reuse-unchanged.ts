import { CLOUD_PARTS } from '@/lib/domain/cloud/freshness'
import type { CloudFacts } from '@/lib/domain/cloud/types'
import { inSlices } from '@/lib/util/in-slices'
import { reuseEqual } from '@/lib/util/reuse-equal'

/** The facts of a round with the values of the round before where these are equal, so that `===` shows what changed. */
export const reuseUnchanged = async (before: CloudFacts | null, now: CloudFacts): Promise<CloudFacts> => {
  if (before === null) return now
  const parts = await Promise.all(
    CLOUD_PARTS.map(async (part) => {
      const value = await inSlices(reuseEqual(before[part].value, now[part].value))
      return [part, { ...now[part], value }] as const
    }),
  )
  // Each part has its own value or an equal one.
  return { ...now, ...(Object.fromEntries(parts) as Partial<CloudFacts>) }
}
