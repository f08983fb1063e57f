import { Tag } from '@/components/ui/tag'
import { SOURCE_WORDS, type Source } from './finding-words'

/** The source that is at fault; a risk, where none errs, has no tag. */
export const BlameTag = ({ blame }: { blame: Source | null }) =>
  blame === null ? null : (
    <Tag title={`${SOURCE_WORDS[blame]} is at fault`}>
      <span className="sr-only">at fault: </span>
      {SOURCE_WORDS[blame]}
    </Tag>
  )
