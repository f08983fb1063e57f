import { Tag } from '@/components/ui/tag'
import { SOURCE_TO_CORRECT_LABELS } from '@/lib/domain/finding-list/finding-labels'
import type { FindingSource } from '@/lib/schemas/api/finding'

/** The source to correct; a risk has none. */
export const SourceTag = ({ source }: { source: FindingSource | null }) =>
  source === null ? null : (
    <Tag title={`Source to correct: ${SOURCE_TO_CORRECT_LABELS[source]}`}>
      <span className="sr-only">source to correct: </span>
      {SOURCE_TO_CORRECT_LABELS[source]}
    </Tag>
  )
