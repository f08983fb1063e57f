import { Tag } from '@/components/ui/tag'
import type { TrackedFinding } from '@/lib/schemas/api/finding'
import { STATE_LABELS } from './finding-labels'

/** Acknowledged, muted, not verified or reopened; open and resolved findings have no tag. */
export const StateTag = ({
  finding: { state, unverifiedReason, reopenedCount },
}: {
  finding: Pick<TrackedFinding, 'state' | 'unverifiedReason' | 'reopenedCount'>
}) => (
  <>
    {state === 'acknowledged' || state === 'muted' ? (
      <Tag tone="accent">{STATE_LABELS[state].toLowerCase()}</Tag>
    ) : null}
    {unverifiedReason === null ? null : <Tag tone="warn">not verified</Tag>}
    {reopenedCount === 0 ? null : <Tag>reopened{reopenedCount === 1 ? '' : ` ${reopenedCount} times`}</Tag>}
  </>
)
