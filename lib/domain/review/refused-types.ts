import type { RefusedGroup } from './what-helps'

/** Refused servers of a vGPU type; null: unknown, or the flavor gives several. */
export type RefusedType = { label: string | null; servers: number }

/**
 * Refused servers by the vGPU type that their flavor gives, the most first; `others`: servers of the types that are not
 * listed. `typesOf`: the names of the types that servers of each flavor used.
 */
export const refusedTypes = (
  groups: readonly RefusedGroup[],
  { typesOf, max }: { typesOf: ReadonlyMap<string, readonly string[]>; max: number },
): { rows: RefusedType[]; others: number } => {
  const counts = new Map<string | null, number>()
  for (const { flavor, servers } of groups) {
    const types = typesOf.get(flavor ?? '') ?? []
    const label = types.length === 1 ? (types[0] ?? null) : null
    counts.set(label, (counts.get(label) ?? 0) + servers)
  }
  const all = [...counts]
    .map(([label, servers]) => ({ label, servers }))
    .toSorted((a, b) => b.servers - a.servers || ((a.label ?? '~') < (b.label ?? '~') ? -1 : 1))
  const left = all.slice(max)
  return { rows: all.slice(0, max), others: left.reduce((sum, { servers }) => sum + servers, 0) }
}
