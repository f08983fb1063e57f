type Columns = { used: readonly (number | null)[]; usedMax: readonly (number | null)[] }

/** The values of another range at each point: average and maximum use, null where they are unknown. */
export type ComparedColumns = { used: (number | null)[]; usedMax: (number | null)[] }

const known = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null)

const averageOf = (values: readonly number[]): number | null =>
  values.length === 0
    ? null
    : Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 10) / 10

/**
 * Another range laid under a series, begin on begin: `count` points of `stepSeconds`, each with what the other range's points in its
 * time had, whose steps may be longer or shorter.
 */
export const alignColumns = (
  other: Columns,
  { otherStepSeconds, stepSeconds, count }: { otherStepSeconds: number; stepSeconds: number; count: number },
): ComparedColumns => {
  const spans = Array.from({ length: count }, (_, index) => {
    const first = Math.floor((index * stepSeconds) / otherStepSeconds)
    const last = Math.ceil(((index + 1) * stepSeconds) / otherStepSeconds)
    return [first, Math.max(last, first + 1)] as const
  })
  return {
    used: spans.map(([first, last]) => averageOf(known(other.used.slice(first, last)))),
    usedMax: spans.map(([first, last]) => {
      const values = known(other.usedMax.slice(first, last))
      return values.length === 0 ? null : Math.max(...values)
    }),
  }
}

const yearBefore = (at: number): number => {
  const date = new Date(at)
  date.setUTCFullYear(date.getUTCFullYear() - 1)
  return date.getTime()
}

/**
 * The range for the comparison, as long as the selected one; ms. If `what` is a number, the range begins at that time.
 */
export const comparedRange = (
  { from, until }: { from: number; until: number },
  what: 'previous' | 'year' | number,
): { from: number; until: number } => {
  const begin = what === 'previous' ? from - (until - from) : what === 'year' ? yearBefore(from) : what
  return { from: begin, until: begin + (until - from) }
}
