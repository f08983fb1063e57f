import type { QuotaLimit } from '@/lib/schemas/api/quota'
import { formatCount } from '@/lib/util/format'

/** `class:VGPU` as people say it. */
export const className = (resourceName: string): string => resourceName.replace(/^class:/, '')

/** Where a limit comes from. */
export const ORIGIN_LABELS: Readonly<Record<QuotaLimit['origin'], string>> = {
  own: 'own',
  default: 'default',
  missing: 'not registered',
}

/** Null: not known. */
export const formatLimit = (limit: QuotaLimit): string | null =>
  limit.kind === 'number' ? formatCount(limit.value) : limit.kind === 'unlimited' ? 'no limit' : null

/** Why Placement counts more than a project's servers hold. */
export const movingText = ({ amount, servers }: { amount: number; servers: readonly string[] }): string =>
  `${formatCount(amount)} counted twice: ${servers.join(', ')} ${servers.length === 1 ? 'is' : 'are'} being migrated or resized, and Placement counts source and target until confirmation`
