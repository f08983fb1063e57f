/** One resource of a new server. */
export type ResourceNeed = {
  /** `servers`, `class:VGPU`. Memory in MiB, disk in GiB. */
  resourceName: string
  needs: number
  /** Null: no limit. */
  limit: number | null
  /** Null: not known now. */
  used: number | null
}

/** What is left before and after the server is created; null: there is no limit, or the use is not known. Never below 0. */
export const leftOf = ({
  needs,
  limit,
  used,
}: Pick<ResourceNeed, 'needs' | 'limit' | 'used'>): {
  before: number
  after: number
  isShort: boolean
} | null => {
  if (limit === null || used === null) return null
  const before = Math.max(0, limit - used)
  return { before, after: Math.max(0, before - needs), isShort: before < needs }
}
