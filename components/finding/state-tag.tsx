import { Tag } from '@/components/ui/tag'
import type { TrackedFinding } from '@/lib/schemas/api/finding'
import { STATE_WORDS } from './finding-words'

/** Acknowledged, resolved, not verified or reopened; an open finding has no tag. */
export const StateTag = ({
  finding: { state, cannotTell, reopenedCount },
}: {
  finding: Pick<TrackedFinding, 'state' | 'cannotTell' | 'reopenedCount'>
}) => (
  <>
    {state === 'open' ? null : (
      <Tag tone={state === 'acknowledged' ? 'accent' : 'quiet'}>{STATE_WORDS[state].toLowerCase()}</Tag>
    )}
    {cannotTell === null ? null : <Tag tone="warn">not verified</Tag>}
    {reopenedCount === 0 ? null : <Tag>reopened{reopenedCount === 1 ? '' : ` ${reopenedCount} times`}</Tag>}
  </>
)
