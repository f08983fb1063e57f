import type { QuotaDriver } from '@/lib/schemas/states'
import { formatNoun } from '@/lib/util/format'
import type { EffectiveLimit } from '../effective-limit'

/** What Nova's API answers as quotas; memory in MiB. */
export type LegacyQuotas = { instances: number; cores: number; memoryMib: number }

/** What the quotas of Nova are called in Keystone (nova/limit/utils.py). */
export const QUOTA_NAMES = [
  { quota: 'instances', resourceName: 'servers' },
  { quota: 'cores', resourceName: 'class:VCPU' },
  { quota: 'memoryMib', resourceName: 'class:MEMORY_MB' },
] as const satisfies readonly { quota: keyof LegacyQuotas; resourceName: string }[]

/** `driver` null: unknown. */
export type DriverVerdict = { driver: QuotaDriver | null; reported: string }

export type ProjectAnswer = { projectName: string; quotas: LegacyQuotas; limits: readonly EffectiveLimit[] }

/** The unified driver answers what Keystone has for the project, and 0 without a registered limit (nova/quota.py). */
const unifiedAnswer = (limit: EffectiveLimit): number | null => {
  if (limit.origin === 'missing') return 0
  if (limit.kind === 'unlimited') return -1
  return limit.kind === 'number' ? limit.value : null
}

/**
 * Which quota driver Nova's API uses, derived from its answers because no API reports it. An answer that differs from
 * Keystone's proves the legacy driver; 0 for an unregistered name shows the unified one; equal numbers may have been
 * copied. `limits` of each project are in the order of QUOTA_NAMES.
 */
export const judgeDriver = (answers: readonly ProjectAnswer[]): DriverVerdict => {
  let isZeroSeen = false
  for (const { projectName, quotas, limits } of answers)
    for (const [index, { quota, resourceName }] of QUOTA_NAMES.entries()) {
      const limit = limits[index]
      const wanted = limit === undefined ? null : unifiedAnswer(limit)
      if (wanted === null) continue
      const isMissing = limit?.origin === 'missing'
      if (quotas[quota] !== wanted)
        return {
          driver: 'legacy',
          reported: `Nova answers ${quotas[quota]} for ${quota} of ${projectName}; with unified limits it would answer ${wanted}, ${isMissing ? `because ${resourceName} is not registered in its region` : `the limit of ${resourceName} in Keystone`}`,
        }
      if (isMissing) isZeroSeen = true
    }
  if (answers.length === 0) return { driver: null, reported: 'Nova reported no quotas of any project' }
  return isZeroSeen
    ? {
        driver: 'unified',
        reported: 'Nova answers 0 where Keystone has no registered limit, as only unified limits do',
      }
    : {
        driver: null,
        reported: `Nova’s answers for ${formatNoun(answers.length, 'project')} equal Keystone’s limits: either Nova uses them, or they were copied from its own quotas`,
      }
}
