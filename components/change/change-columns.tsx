import Link from 'next/link'
import { UnknownNote } from '@/components/cloud/unknown-note'
import { Moment } from '@/components/shell/moment'
import { TimedText } from '@/components/shell/timed-text'
import type { Column } from '@/components/table/column'
import { Tag } from '@/components/ui/tag'
import { actorLabel } from '@/lib/domain/wording'
import type { ListedChange } from '@/lib/schemas/api/change-list'
import { formatNoun } from '@/lib/util/format'
import { changePath } from '@/lib/util/paths'
import { CHANGE_STATE_TAGS, formatProgress } from './change-labels'

/** Changes of flavors and limits have no pGPUs, and a capacity reservation may be on a host without naming any. */
const isOfPgpus = ({ kind, pgpuCount }: ListedChange): boolean =>
  kind !== 'flavor' && kind !== 'limits' && (kind !== 'fence' || pgpuCount !== 0)

const actor = ({ runBy, madeBy }: ListedChange): string => actorLabel(runBy ?? madeBy)

const changedAt = ({ endedAt, startedAt, madeAt }: ListedChange): string => endedAt ?? startedAt ?? madeAt

/** The other columns in one line, for a narrow screen. */
const summary = (change: ListedChange): string =>
  [
    `No. ${change.id}`,
    formatProgress(change),
    ...(isOfPgpus(change)
      ? [change.pgpuCount === null ? 'unknown number of pGPUs' : formatNoun(change.pgpuCount, 'pGPU')]
      : []),
    actor(change),
  ].join(', ')

export const CHANGE_COLUMNS: readonly Column<ListedChange>[] = [
  {
    id: 'number',
    header: 'No.',
    phone: 'hidden',
    className: 'text-ink3 tabular-nums',
    cell: ({ id }) => id,
  },
  {
    id: 'change',
    header: 'Change',
    isFixed: true,
    className: 'md:min-w-56',
    cell: (change, { cloud }) => (
      <>
        <Link
          href={changePath({ cloud, id: change.id })}
          className="font-[550] text-accent-ink hover:underline"
        >
          {change.title}
        </Link>
        {change.trouble === null ? null : (
          <p className="max-w-[70ch] text-small text-warn wrap-anywhere">
            <TimedText text={change.trouble} isWhole />
          </p>
        )}
        <p className="text-ink2 text-small wrap-anywhere md:hidden">
          {summary(change)}, <Moment at={changedAt(change)} />
        </p>
      </>
    ),
  },
  {
    id: 'state',
    header: 'State',
    className: 'whitespace-nowrap',
    cell: ({ state }) => {
      const { word, tone } = CHANGE_STATE_TAGS[state]
      return <Tag tone={tone}>{word}</Tag>
    },
  },
  {
    id: 'progress',
    header: 'Progress',
    phone: 'hidden',
    className: 'whitespace-nowrap text-ink2',
    cell: formatProgress,
  },
  {
    id: 'pgpus',
    header: 'pGPUs',
    isNumber: true,
    phone: 'hidden',
    cell: (change) =>
      isOfPgpus(change)
        ? (change.pgpuCount ?? <UnknownNote reason="The preview of this change cannot be read." />)
        : null,
  },
  {
    id: 'actor',
    header: 'Actor',
    phone: 'hidden',
    className: 'whitespace-nowrap',
    cell: actor,
  },
  {
    id: 'changed_at',
    header: 'Time',
    phone: 'hidden',
    className: 'text-ink2',
    cell: (change) => <Moment at={changedAt(change)} />,
  },
]
