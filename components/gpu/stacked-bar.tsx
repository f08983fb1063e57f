import type { FleetTotals } from '@/lib/schemas/api/totals'

type Parts = Pick<FleetTotals, 'capacity' | 'used' | 'spare' | 'orphan' | 'blocked' | 'unknown'>

/** Shares of a total in one line. It has no text, because the figures are next to it. */
export const StackedBar = ({ totals, height = 8 }: { totals: Parts; height?: number }) => {
  const { capacity } = totals
  return (
    <svg aria-hidden="true" width="100%" height={height} className="stack mt-[7px] block rounded-[4px]">
      {capacity === null ? (
        <rect width="100%" height="100%" className="bar-unknown" />
      ) : (
        <rect width="100%" height="100%" className="stack-rest" />
      )}
      {capacity === null || capacity === 0 ? null : <Shares totals={totals} capacity={capacity} />}
    </svg>
  )
}

/** What is created from the left; after what is free, what is blocked and what is unknown. */
const Shares = ({ totals, capacity }: { totals: Parts; capacity: number }) => {
  const { used, spare, orphan, blocked, unknown } = totals
  const locked = Math.max(0, (blocked ?? 0) - (orphan ?? 0))
  const left = [
    { name: 'stack-used', count: used ?? 0 },
    { name: 'stack-spare', count: spare ?? 0 },
    { name: 'stack-orphan', count: orphan ?? 0 },
  ]
  const created = left.reduce((sum, { count }) => sum + count, 0)
  const parts = [
    ...left,
    { name: 'stack-rest', count: Math.max(0, capacity - created - locked - (unknown ?? 0)) },
    { name: 'bar-locked', count: locked },
    { name: 'bar-unknown', count: unknown ?? 0 },
  ]
  let at = 0
  return (
    <>
      {parts.map(({ name, count }) => {
        const [x, width] = [(at / capacity) * 100, (count / capacity) * 100]
        at += count
        return count === 0 || name === 'stack-rest' ? null : (
          <rect key={name} x={`${x}%`} width={`${width}%`} height="100%" className={name} />
        )
      })}
    </>
  )
}
