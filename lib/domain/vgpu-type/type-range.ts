/**
 * The minimum and maximum number of vGPUs that a card without a type may get, by its types' `maxInstance`; types without
 * one are left out. Null: none has one.
 */
export const typeRange = (
  types: readonly { maxInstance: number | null }[],
): readonly [min: number, max: number] | null => {
  const counts = types.flatMap(({ maxInstance }) => maxInstance ?? [])
  return counts.length === 0 ? null : [Math.min(...counts), Math.max(...counts)]
}
