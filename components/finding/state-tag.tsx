import { Tag } from '@/components/ui/tag'
import type { TrackedFinding } from '@/lib/schemas/api/finding'
import { STATE_LABELS } from './finding-labels'

/** Acknowledged, resolved, not verified or reopened; an open finding has no tag. */
export const StateTag = ({
  finding: { state, cannotTell: unknownReason, reopenedCount },
}: {
  finding: Pick<TrackedFinding, 'state' | 'cannotTell' | 'reopenedCount'>
}) => (
  <>
    {state === 'open' ? null : (
      <Tag tone={state === 'acknowledged' ? 'accent' : 'quiet'}>{STATE_LABELS[state].toLowerCase()}</Tag>
    )}
    {unknownReason === null ? null : <Tag tone="warn">not verified</Tag>}
    {reopenedCount === 0 ? null : <Tag>reopened{reopenedCount === 1 ? '' : ` ${reopenedCount} times`}</Tag>}
  </>
)
