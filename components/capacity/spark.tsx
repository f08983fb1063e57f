import type { CapacitySeries } from '@/lib/schemas/api/capacity'

const [WIDTH, HEIGHT] = [120, 22]

/** Runs of known values, each as corners of its own: a gap is left open. */
const runs = (values: readonly (number | null)[], most: number): { x: number; y: number }[][] => {
  const found: { x: number; y: number }[][] = []
  let isOpen = false
  for (const [place, value] of values.entries()) {
    if (value === null) {
      isOpen = false
      continue
    }
    const y = HEIGHT - 1 - (most === 0 ? 0 : (value / most) * (HEIGHT - 3))
    const step = [place, place + 1].map((at) => ({ x: (at / values.length) * WIDTH, y }))
    if (isOpen) found.at(-1)?.push(...step)
    else found.push(step)
    isOpen = true
  }
  return found
}

const path = (corners: readonly { x: number; y: number }[]): string =>
  corners.map(({ x, y }, place) => `${place === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')

const area = (corners: readonly { x: number; y: number }[]): string =>
  `${path(corners)}L${corners.at(-1)?.x.toFixed(1)} ${HEIGHT}L${corners[0]?.x.toFixed(1)} ${HEIGHT}Z`

/** A row's use under its capacity, small; the numbers stand beside it. */
export const Spark = ({
  series,
  begin,
}: {
  series: Pick<CapacitySeries, 'used' | 'capacity'>
  /** The point that it begins with. */
  begin: number
}) => {
  const used = series.used.slice(begin)
  const capacity = series.capacity.slice(begin)
  const most = Math.max(0, ...[...used, ...capacity].map((value) => value ?? 0))
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden className="block">
      {runs(used, most).map((corners) => (
        <g key={corners[0]?.x}>
          <path d={area(corners)} fill="var(--accent2)" />
          <path d={path(corners)} fill="none" stroke="var(--accent)" strokeWidth="1.4" />
        </g>
      ))}
      {runs(capacity, most).map((corners) => (
        <path key={corners[0]?.x} d={path(corners)} fill="none" stroke="var(--ink)" strokeWidth="1" />
      ))}
    </svg>
  )
}
