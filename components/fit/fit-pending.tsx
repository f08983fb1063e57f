import { Skeleton, SkeletonRows } from '@/components/ui/skeleton'

export const FitPending = ({ label }: { label: string }) => (
  <div role="status" aria-label={label}>
    <Skeleton className="mb-3 h-[70px] rounded-panel" />
    <Skeleton className="mb-3 h-11 rounded-panel" />
    <SkeletonRows rows={10} label="Loading the hosts" />
  </div>
)
