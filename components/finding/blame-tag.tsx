import { Tag } from '@/components/ui/tag'
import { SOURCE_TO_CORRECT_LABELS, type Source } from './finding-words'

/** The source to correct; a risk has none. */
export const BlameTag = ({ blame }: { blame: Source | null }) =>
  blame === null ? null : (
    <Tag title={`Source to correct: ${SOURCE_TO_CORRECT_LABELS[blame]}`}>
      <span className="sr-only">source to correct: </span>
      {SOURCE_TO_CORRECT_LABELS[blame]}
    </Tag>
  )
