/** The value below which `share` of all lie, one of them: no mean of two. `share`: 0 to 1. NaN without values. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN

/** The middle one, of an even number the upper. */
export const median = (values: readonly number[]): number => quantile(values, 0.5)
