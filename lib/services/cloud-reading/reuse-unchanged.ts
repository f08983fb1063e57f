import { CLOUD_PARTS, type CloudPart } from '@/lib/domain/cloud/freshness'
import type { CloudFacts } from '@/lib/domain/cloud/types'
import { inSlices } from '@/lib/util/in-slices'
import { reuseEqual } from '@/lib/util/reuse-equal'

/** The facts of a round with the values of the round before where these are equal, so that `===` shows what changed. */
export const reuseUnchanged = async (before: CloudFacts | null, now: CloudFacts): Promise<CloudFacts> => {
  if (before === null) return now
  const parts: [CloudPart, CloudFacts[CloudPart]['value']][] = []
  // One after the other: parts at the same time would each take a slice in the same turn.
  for (const part of CLOUD_PARTS)
    parts.push([part, await inSlices(reuseEqual(before[part].value, now[part].value))])
  // Each part has its own value or an equal one.
  return {
    ...now,
    ...(Object.fromEntries(
      parts.map(([part, value]) => [part, { ...now[part], value }]),
    ) as Partial<CloudFacts>),
  }
}
