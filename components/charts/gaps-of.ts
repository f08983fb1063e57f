/** Points at which nothing is known, side by side as one: places from `from` to before `until`. */
export const gapsOf = (values: readonly (number | null)[]): { from: number; until: number }[] => {
  const gaps: { from: number; until: number }[] = []
  for (const [index, value] of values.entries()) {
    if (value !== null) continue
    const last = gaps.at(-1)
    if (last?.until === index) last.until = index + 1
    else gaps.push({ from: index, until: index + 1 })
  }
  return gaps
}
