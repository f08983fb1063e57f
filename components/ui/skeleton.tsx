import { classNames } from '@/lib/util/class-names'

/** Grey block in the shape of what is on its way. Say what loads in the container's aria-label. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span aria-hidden className={classNames('shimmer block rounded-[4px] bg-cell', className)} />
)

/** Rows in the rhythm of a table. */
export const SkeletonRows = ({ rows, label }: { rows: number; label: string }) => (
  <div role="status" aria-label={label} className="rounded-panel border border-line bg-panel">
    {Array.from({ length: rows }, (_, row) => `row-${row}`).map((key) => (
      <div key={key} className="flex h-8 items-center gap-6 border-line2 border-b px-3.5 last:border-b-0">
        <Skeleton className="h-2.5 w-[14%]" />
        <Skeleton className="h-2.5 w-[11%]" />
        <Skeleton className="h-2.5 w-[16%]" />
        <Skeleton className="h-4 w-[24%]" />
        <Skeleton className="ml-auto h-2.5 w-[6%]" />
      </div>
    ))}
  </div>
)
