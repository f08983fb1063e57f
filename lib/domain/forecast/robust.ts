const ascending = (a: number, b: number): number => a - b

/** The share `q` (0 to 1) of the values lies at or below it, between two of them by proportion; null: there is none. */
export const quantile = (values: readonly number[], q: number): number | null => {
  const sorted = values.toSorted(ascending)
  const position = (sorted.length - 1) * q
  const [below, above] = [sorted[Math.floor(position)], sorted[Math.ceil(position)]]
  return below === undefined || above === undefined ? null : below + (above - below) * (position % 1)
}

export const median = (values: readonly number[]): number | null => quantile(values, 0.5)

/** The slopes per position between all pairs of known values. */
export const pairSlopes = (values: readonly (number | null)[]): number[] => {
  const slopes: number[] = []
  for (const [to, after] of values.entries()) {
    if (after === null) continue
    for (let from = 0; from < to; from += 1) {
      const before = values[from]
      if (before !== null && before !== undefined) slopes.push((after - before) / (to - from))
    }
  }
  return slopes
}

/**
 * Slope per position by Theil and Sen: the median of the slopes between all pairs, which a quarter of the values may mislead
 * without effect. Null values are left out; null: there are fewer than two values.
 */
export const theilSen = (values: readonly (number | null)[]): number | null => median(pairSlopes(values))

/** 0 of none. */
export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

export const lastKnown = (values: readonly (number | null)[]): number | null =>
  values.findLast((value) => value !== null) ?? null
