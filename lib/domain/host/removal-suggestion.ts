/** A host that has been silent for this number of days is suggested for removal. */
export const SUGGEST_REMOVAL_AFTER_DAYS = 30

type SeenHost = { name: string; firstKnownAt: number; lastSeenAt: number | null; gpuUuids: readonly string[] }

/**
 * The host that reports the GPUs of a silent host since that host fell silent; null: none does. Only GPU UUIDs count, because
 * identical servers have identical PCI addresses. Times in ms.
 */
export const continuedBy = (silent: SeenHost, others: readonly SeenHost[]): string | null => {
  const { lastSeenAt } = silent
  if (lastSeenAt === null || silent.gpuUuids.length === 0) return null
  const uuids = new Set(silent.gpuUuids)
  const matches = others
    .filter(({ name, firstKnownAt }) => name !== silent.name && firstKnownAt >= lastSeenAt)
    .map(({ name, gpuUuids }) => ({ name, shared: gpuUuids.filter((uuid) => uuids.has(uuid)).length }))
    .filter(({ shared }) => shared * 2 >= uuids.size)
    .toSorted((a, b) => b.shared - a.shared || (a.name < b.name ? -1 : 1))
  return matches[0]?.name ?? null
}

type Gpu = { address: string; deviceId: string | null; uuid: string | null }

/** GPUs of one host that another reports too: by UUID where both report UUIDs, else by address and PCI device. */
export const matchingGpus = (from: readonly Gpu[], into: readonly Gpu[]): number => {
  const hasUuids = (gpus: readonly Gpu[]): boolean => gpus.some(({ uuid }) => uuid !== null)
  const keyOf =
    hasUuids(from) && hasUuids(into)
      ? ({ uuid }: Gpu) => uuid
      : ({ address, deviceId }: Gpu) => `${address} ${deviceId ?? ''}`
  const known = new Set(into.flatMap((gpu) => keyOf(gpu) ?? []))
  return from.filter((gpu) => known.has(keyOf(gpu) ?? '')).length
}
