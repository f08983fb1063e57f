/**
 * The fewest and the most vGPUs that a card without a type may come to hold, by its types' `maxInstance`; types that do not
 * tell theirs are left out. Null: none tells it.
 */
export const typeRange = (
  types: readonly { maxInstance: number | null }[],
): readonly [fewest: number, most: number] | null => {
  const counts = types.flatMap(({ maxInstance }) => maxInstance ?? [])
  return counts.length === 0 ? null : [Math.min(...counts), Math.max(...counts)]
}
