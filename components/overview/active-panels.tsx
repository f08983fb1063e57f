import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { CHANGE_STATE_TAGS, formatProgress } from '@/components/change/change-labels'
import { className } from '@/components/quota/quota-labels'
import { LoadProblem } from '@/components/shell/load-problem'
import { Age } from '@/components/shell/moment'
import { TimedText } from '@/components/shell/timed-text'
import { useCloud } from '@/components/shell/use-cloud'
import { Panel } from '@/components/ui/panel'
import { ShareBar } from '@/components/ui/share-bar'
import { Skeleton } from '@/components/ui/skeleton'
import { Tag } from '@/components/ui/tag'
import { firstChangesOptions } from '@/lib/api/change-list'
import { pendingRequestsOptions } from '@/lib/api/quota-requests'
import { isActiveChange } from '@/lib/domain/plans/change-states'
import type { ListedChange } from '@/lib/schemas/api/change-list'
import { formatCount } from '@/lib/util/format'
import { changePath, changesPath, quotaRequestPath, quotaRequestsPath } from '@/lib/util/paths'

const ChangeItem = ({ change, cloud }: { change: ListedChange; cloud: string | null }) => {
  const { word, tone } = CHANGE_STATE_TAGS[change.state]
  const share = change.stepCount === 0 ? 0 : change.endedSteps / change.stepCount
  const { startedAt } = change
  return (
    <li className="border-line2 border-t px-3.5 py-2">
      <Link
        href={changePath({ cloud, id: change.id })}
        prefetch={false}
        className="font-[550] hover:underline"
      >
        <Tag tone={tone}>{word}</Tag> {change.title}
      </Link>
      <ShareBar share={share} className="mt-1.5" />
      <p className="mt-1 flex flex-wrap justify-between gap-x-3 text-ink2 text-small">
        <span>{formatProgress(change)}</span>
        {startedAt === null ? null : (
          <span>
            started <Age at={startedAt} /> ago
          </span>
        )}
      </p>
      {change.trouble === null ? null : (
        <p className="text-small text-warn wrap-anywhere">
          <TimedText text={change.trouble} isWhole />
        </p>
      )}
    </li>
  )
}

/** One less than `firstChangesOptions` requests, so that it is known whether there are more. */
const SHOWN = 4

/** Changes that are running, stopped or being rolled back. */
const ActiveChangesPanel = () => {
  const { cloud } = useCloud()
  const query = useQuery(firstChangesOptions({ cloud }))
  const active = query.data?.changes.filter(({ state }) => isActiveChange(state)) ?? []
  return (
    <Panel
      title="In progress"
      actions={
        <Link href={changesPath({ cloud })} prefetch={false} className="text-small underline">
          View changes
        </Link>
      }
    >
      <LoadProblem query={query} what="The changes" />
      {query.isPending && query.error === null ? <Skeleton className="h-6" /> : null}
      {query.data !== undefined && active.length === 0 ? (
        <p className="text-ink2">No change is in progress.</p>
      ) : null}
      {active.length === 0 ? null : (
        <ul className="-mx-3.5 -mb-3">
          {active.slice(0, SHOWN).map((change) => (
            <ChangeItem key={change.id} change={change} cloud={cloud} />
          ))}
          {active.length > SHOWN ? (
            <li className="border-line2 border-t px-3.5 py-2 text-ink2 text-small">
              More changes are in progress.
            </li>
          ) : null}
        </ul>
      )}
    </Panel>
  )
}

/** Quota requests without a decision; hidden if there are none. */
const PendingRequestsPanel = () => {
  const { cloud } = useCloud()
  const query = useQuery(pendingRequestsOptions({ cloud }))
  const open = query.data?.counts.open ?? 0
  if (open === 0 && query.error === null) return null
  return (
    <Panel
      title="Quota requests"
      note={query.data === undefined ? undefined : `${formatCount(open)} pending`}
      actions={
        <Link href={quotaRequestsPath({ cloud })} prefetch={false} className="text-small underline">
          Review requests
        </Link>
      }
    >
      <LoadProblem query={query} what="The quota requests" />
      <ul className="-mx-3.5 -mb-3">
        {query.data?.requests.map(({ id, projectName, resourceName, value, madeAt }) => (
          <li key={id} className="flex items-baseline gap-3 border-line2 border-t px-3.5 py-1.5">
            <Link
              href={quotaRequestPath({ cloud, id })}
              prefetch={false}
              className="min-w-0 flex-1 truncate hover:underline"
            >
              <span className="font-[550]">{projectName}</span> {formatCount(value)} {className(resourceName)}
            </Link>
            <span className="text-ink3 text-small">
              <Age at={madeAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** What is being changed and what waits for a decision. */
export const ActivePanels = () => (
  <div className="flex min-w-0 flex-col gap-3.5">
    <ActiveChangesPanel />
    <PendingRequestsPanel />
  </div>
)
