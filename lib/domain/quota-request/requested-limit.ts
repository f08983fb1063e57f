import type { EffectiveLimit } from '@/lib/domain/limits/effective-limit'

/** Why a limit is nothing to ask for or to grant, as the end of a sentence; null: it is. */
export const whyNotMore = (limit: EffectiveLimit | null, value: number): string | null => {
  if (limit === null || limit.kind === 'unknown') return null
  if (limit.kind === 'unlimited') return 'the resource has no limit'
  return value > limit.value ? null : `the limit is already ${limit.value}`
}
