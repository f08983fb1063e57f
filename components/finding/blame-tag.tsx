import { Tag } from '@/components/ui/tag'
import { SOURCE_WORDS, type Source } from './finding-words'

/** The source that is wrong; a risk, where none errs, has no tag. */
export const BlameTag = ({ blame }: { blame: Source | null }) =>
  blame === null ? null : (
    <Tag title={`${SOURCE_WORDS[blame]} is the source that is wrong`}>
      <span className="sr-only">wrong: </span>
      {SOURCE_WORDS[blame]}
    </Tag>
  )
