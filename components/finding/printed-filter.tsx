import type { FindingFilter } from '@/lib/domain/finding-list/filter-findings'
import { SOURCE_TO_CORRECT_LABELS } from '@/lib/domain/finding-list/finding-labels'
import { formatNoun } from '@/lib/util/format'
import { chosenStates } from './finding-question'

const part = (name: string, values: readonly string[]): string | null =>
  values.length === 0 ? null : `${name} ${values.join(', ')}`

/** On paper the filter's controls are gone, so its words say what is shown. */
export const PrintedFilter = ({
  filter,
  shown,
  of,
}: {
  filter: FindingFilter
  shown: number
  of: number
}) => (
  <p className="mb-2 hidden text-ink2 print:block">
    Filter:{' '}
    {[
      part('state', chosenStates(filter.state)),
      filter.q === '' ? null : `text “${filter.q}”`,
      part('severity', filter.severity),
      part('kind', filter.code),
      part('host', filter.host),
      part(
        'source to correct',
        filter.blame.map((source) => SOURCE_TO_CORRECT_LABELS[source]),
      ),
    ]
      .filter((text) => text !== null)
      .join('; ')}
    . {formatNoun(shown, 'finding')} of {of}
    {shown < of ? '; the CSV has all of them' : ''}.
  </p>
)
