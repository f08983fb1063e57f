import type { FleetTotals } from '@/lib/schemas/api/fleet'

type Parts = Pick<FleetTotals, 'capacity' | 'used' | 'spare' | 'orphan' | 'locked'>

const MADE = ['used', 'spare', 'orphan'] as const

/** Shares of a sum of vGPUs in one line. The figures stand beside it, so it has no words of its own. */
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

const Shares = ({ totals, capacity }: { totals: Parts; capacity: number }) => {
  const share = (kind: keyof Parts) => ((totals[kind] ?? 0) / capacity) * 100
  let left = 0
  return (
    <>
      {MADE.map((kind) => {
        const width = share(kind)
        const x = left
        left += width
        return width === 0 ? null : (
          <rect key={kind} x={`${x}%`} width={`${width}%`} height="100%" className={`stack-${kind}`} />
        )
      })}
      {share('locked') === 0 ? null : (
        <rect
          x={`${100 - share('locked')}%`}
          width={`${share('locked')}%`}
          height="100%"
          className="bar-locked"
        />
      )}
    </>
  )
}
