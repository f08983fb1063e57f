/** The numbers of one pGPU as docs/glossary.md defines them; null is unknown. */
export type PgpuCounts = {
  capacity: number | null
  used: number | null
  spare: number | null
  orphan: number | null
  returning: number | null
  creatable: number | null
  /** Free in hardware (spare or creatable) but unreachable for every flavor. */
  stranded: number | null
}

/** A capacity divided: capacity = used + spare + free + orphan + stranded + locked + unknown. */
export type PgpuParts = {
  capacity: number
  used: number
  spare: number
  free: number
  orphan: number
  stranded: number
  locked: number
  unknown: number
}

export const emptyParts = (): PgpuParts => ({
  capacity: 0,
  used: 0,
  spare: 0,
  free: 0,
  orphan: 0,
  stranded: 0,
  locked: 0,
  unknown: 0,
})

/**
 * Divides the capacity of one pGPU into disjoint parts and writes them to `parts`. Null: the capacity is unknown.
 *
 * A pGPU that holds more vGPUs than its capacity counts with what it holds. What the driver offers beyond the capacity is ignored.
 * Stranded capacity is taken from what is creatable, then from what is spare, because neither can be used now. Capacity that
 * neither the driver nor the cloud explains is unknown, never free. Without a cloud (`isCloudRead` false) nothing is stranded.
 */
export const divideCapacity = (
  { capacity, used, spare, orphan, creatable, stranded }: PgpuCounts,
  isCloudRead: boolean,
  parts: PgpuParts,
): PgpuParts | null => {
  if (capacity === null) return null
  const isKnown = used !== null && spare !== null && orphan !== null && creatable !== null
  const created = (used ?? 0) + (spare ?? 0) + (orphan ?? 0)
  const total = Math.max(capacity, created)
  const open = total - created
  const offered = Math.min(creatable ?? 0, open)
  const isUnscheduled = isCloudRead && stranded === null
  const blocked = Math.min(stranded ?? 0, offered + (spare ?? 0))
  const blockedOffered = Math.min(blocked, offered)
  parts.capacity = total
  parts.used = used ?? 0
  parts.spare = (spare ?? 0) - (blocked - blockedOffered)
  parts.free = isUnscheduled ? 0 : offered - blockedOffered
  parts.orphan = orphan ?? 0
  parts.stranded = blocked
  parts.locked = isKnown ? open - offered : 0
  parts.unknown = (isKnown ? 0 : open - offered) + (isUnscheduled ? offered : 0)
  return parts
}
