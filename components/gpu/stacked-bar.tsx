import type { CellKind } from '@/lib/domain/pgpu/types'

type Parts = { capacity: number; used: number; spare: number; orphan: number; creatable: number }

const KINDS: readonly (readonly [CellKind, keyof Parts])[] = [
  ['used', 'used'],
  ['spare', 'spare'],
  ['orphan', 'orphan'],
]

/** Shares of a sum of vGPUs in one line. The figures stand beside it, so it has no words of its own. */
export const StackedBar = ({ totals, height = 8 }: { totals: Parts; height?: number }) => {
  const whole = Math.max(totals.capacity, totals.used + totals.spare + totals.orphan)
  let left = 0
  return (
    <svg aria-hidden="true" width="100%" height={height} className="stack mt-[7px] block rounded-[4px]">
      <rect width="100%" height="100%" className="stack-rest" />
      {whole === 0
        ? null
        : KINDS.map(([kind, name]) => {
            const width = (totals[name] / whole) * 100
            const x = left
            left += width
            return width === 0 ? null : (
              <rect key={kind} x={`${x}%`} width={`${width}%`} height="100%" className={`stack-${kind}`} />
            )
          })}
    </svg>
  )
}
