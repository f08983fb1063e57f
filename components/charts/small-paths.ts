type Corner = { x: number; y: number }
type Size = { width: number; height: number }

/** Runs of known values, each with its corners: a gap stays a gap. `most` is the value at the top. */
export const runsOf = (
  values: readonly (number | null)[],
  { max, width, height }: Size & { max: number },
): Corner[][] => {
  const found: Corner[][] = []
  let isOpen = false
  for (const [index, value] of values.entries()) {
    if (value === null) {
      isOpen = false
      continue
    }
    const y = height - 1 - (max === 0 ? 0 : (value / max) * (height - 3))
    const step = [index, index + 1].map((at) => ({ x: (at / values.length) * width, y }))
    if (isOpen) found.at(-1)?.push(...step)
    else found.push(step)
    isOpen = true
  }
  return found
}

export const linePath = (corners: readonly Corner[]): string =>
  corners.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')

export const areaPath = (corners: readonly Corner[], height: number): string =>
  `${linePath(corners)}L${corners.at(-1)?.x.toFixed(1)} ${height}L${corners[0]?.x.toFixed(1)} ${height}Z`
