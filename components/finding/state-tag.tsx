import { Tag } from '@/components/ui/tag'
import type { TrackedFinding } from '@/lib/schemas/api/finding'
import { STATE_WORDS } from './finding-words'

/** Acknowledged or closed; open needs no word, and one that can't be told now says so. */
export const StateTag = ({
  finding: { state, cannotTell, reopenedCount },
}: {
  finding: Pick<TrackedFinding, 'state' | 'cannotTell' | 'reopenedCount'>
}) => (
  <>
    {state === 'open' ? null : (
      <Tag tone={state === 'acknowledged' ? 'accent' : 'quiet'}>{STATE_WORDS[state].toLowerCase()}</Tag>
    )}
    {cannotTell === null ? null : <Tag tone="warn">can’t tell now</Tag>}
    {reopenedCount === 0 ? null : <Tag>came back{reopenedCount === 1 ? '' : ` ${reopenedCount} times`}</Tag>}
  </>
)
