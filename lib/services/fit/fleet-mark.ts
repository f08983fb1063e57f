import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { CLOUD_PARTS, cloudGap } from '@/lib/domain/cloud/freshness'
import { hostMarks } from '@/lib/services/cloud-reading/load-fleet'

/**
 * All that counts follow from. A reading round keeps the values of the parts that did not change, so the counts outlive a round in
 * which nothing changed.
 */
export const fleetMark = ({ input }: Pick<Fleet, 'input'>): readonly unknown[] => {
  const { facts, hosts, apiAliases, quotaDriver } = input
  const gaps = CLOUD_PARTS.map((part) => cloudGap(input, part))
  return [
    ...CLOUD_PARTS.map((part) => facts[part].value),
    JSON.stringify([facts.versions, gaps, apiAliases, quotaDriver]),
    ...hostMarks(hosts),
  ]
}
