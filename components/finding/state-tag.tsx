import { Tag } from '@/components/ui/tag'
import type { TrackedFinding } from '@/lib/schemas/api/finding'
import { STATE_LABELS } from './finding-labels'

/** Acknowledged, resolved, not verified or reopened; an open finding has no tag. */
export const StateTag = ({
  finding: { state, unverifiedReason, reopenedCount },
}: {
  finding: Pick<TrackedFinding, 'state' | 'unverifiedReason' | 'reopenedCount'>
}) => (
  <>
    {state === 'open' ? null : (
      <Tag tone={state === 'acknowledged' ? 'accent' : 'quiet'}>{STATE_LABELS[state].toLowerCase()}</Tag>
    )}
    {unverifiedReason === null ? null : <Tag tone="warn">not verified</Tag>}
    {reopenedCount === 0 ? null : <Tag>reopened{reopenedCount === 1 ? '' : ` ${reopenedCount} times`}</Tag>}
  </>
)
