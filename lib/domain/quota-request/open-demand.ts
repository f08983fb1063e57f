import type { EffectiveLimit } from '@/lib/domain/limits/effective-limit'

type OpenRequest = { projectId: string; value: number }

/**
 * How much more of a class would be allocated as quota if every open request on it were approved; of several requests of
 * one project the highest counts. Null: a project's limit is unknown.
 */
export const openDemand = (
  requests: readonly OpenRequest[],
  limitOf: (projectId: string) => EffectiveLimit,
): number | null => {
  const highest = new Map<string, number>()
  for (const { projectId, value } of requests)
    highest.set(projectId, Math.max(value, highest.get(projectId) ?? 0))
  let sum = 0
  for (const [projectId, value] of highest) {
    const limit = limitOf(projectId)
    if (limit.kind === 'unknown') return null
    if (limit.kind === 'number') sum += Math.max(0, value - Math.max(0, limit.value))
  }
  return sum
}
