'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import {
  COLUMN_LABELS,
  SOURCE_COLUMNS,
  type SourceColumn,
  type Sources,
} from '@/components/gpu-detail/source-labels'
import { Moment } from '@/components/shell/moment'
import { PageHeader } from '@/components/shell/page-header'
import { SubjectProblem } from '@/components/shell/subject-problem'
import { TimedText } from '@/components/shell/timed-text'
import { useCloud } from '@/components/shell/use-cloud'
import { buttonStyle } from '@/components/ui/button'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { Tag } from '@/components/ui/tag'
import { changeDetailOptions } from '@/lib/api/changes'
import { isNotFound } from '@/lib/api/client'
import { gpuSourcesOptions } from '@/lib/api/gpu-sources'
import { actionLabel, isActiveChange } from '@/lib/domain/plans/change-states'
import { actorLabel } from '@/lib/domain/wording'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { GpuSources } from '@/lib/schemas/api/sources'
import { formatCount, formatNoun } from '@/lib/util/format'
import { apiPaths, changesPath, gpuPath } from '@/lib/util/paths'
import { ChangeActions } from './change-actions'
import { CHANGE_STATE_TAGS, rollbackText } from './change-labels'
import { changeView } from './change-views'
import { LargeChangeSteps } from './large-change-steps'
import { ProgressStrip } from './progress-strip'
import { StepList } from './step-list'
import { TermsPanel } from './terms-panel'

/** What a change moves; the pGPU's own page has the rest. */
const ROWS = ['type', 'total', 'used', 'orphan']

type SourceLine = {
  column: SourceColumn
  /** "nvidia-319, total 4, used 3"; null: the source has no value. */
  text: string | null
  isOdd: boolean
}

/** One line for each source on a pGPU; what a source does not know is a dash. */
export const sourceLines = ({ rows }: Pick<Sources, 'rows'>): SourceLine[] => {
  const chosen = rows.filter(
    ({ key, hardware }) => ROWS.includes(key) && (key !== 'orphan' || hardware?.value !== 0),
  )
  return SOURCE_COLUMNS.map((column) => {
    const parts = chosen.flatMap(({ [column]: cell, key, label }) => {
      if (cell === null) return []
      const value = cell.value ?? '–'
      return [key === 'type' ? `${value}` : `${label.toLowerCase()} ${value}`]
    })
    return {
      column,
      text: parts.length === 0 ? null : parts.join(', '),
      isOdd: chosen.some(({ disagree }) => disagree?.column === column),
    }
  })
}

type Target = ChangeDetail['preview']['targets'][number]

/** The pGPU of the current step, or one of its host; else the first of the change. */
const gpuInHand = (change: ChangeDetail): Target | null => {
  const { targets } = change.preview
  const words = (change.currentStep?.id ?? '').split('/')
  const onHost = targets.filter(({ host }) => words.includes(host))
  return onHost.find(({ address }) => words.includes(address)) ?? onHost[0] ?? targets[0] ?? null
}

const Lines = ({ sources }: Pick<GpuSources, 'sources'>) =>
  sources === null ? (
    <p className="text-ink2">OpenStack has not been read since the last report of the host.</p>
  ) : (
    <KeyValues>
      {sourceLines(sources).map(({ column, text, isOdd }) => (
        <KeyValue key={column} label={COLUMN_LABELS[column]}>
          {text === null ? (
            <span className="text-ink3">no value</span>
          ) : (
            <span className={isOdd ? 'text-warn' : undefined}>
              {text}
              {isOdd ? <span className="sr-only">, differs from the others</span> : null}
            </span>
          )}
        </KeyValue>
      ))}
    </KeyValues>
  )

/**
 * The hardware, nova.conf, Placement and libvirt values of the pGPU of the current step. It loads and fails independently
 * of the page.
 */
const SourcesNowPanel = ({ change, cloud }: { change: ChangeDetail; cloud: string | null }) => {
  const target = gpuInHand(change)
  const { data, error, isPending, isFetching, refetch } = useQuery({
    ...gpuSourcesOptions({ cloud, host: target?.host ?? '', address: target?.address ?? '' }),
    enabled: target !== null,
  })
  if (target === null) return null
  return (
    <Panel
      title="Current values of the four sources"
      note={
        <Link href={gpuPath({ cloud, ...target })} className="hover:underline">
          {target.host} {target.address}
        </Link>
      }
    >
      {error === null || data !== undefined ? null : (
        <ErrorState
          title="The four sources could not be loaded"
          error={error}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
        />
      )}
      {isPending && error === null ? (
        <div role="status" aria-label="Loading the four sources">
          <Skeleton className="h-20" />
        </div>
      ) : null}
      {data === undefined ? null : <Lines sources={data.sources} />}
    </Panel>
  )
}

/** The steps of a change: in one list, or in a large change by phase and host, with the current step first. */
export const ChangeSteps = ({ change, cloud }: { change: ChangeDetail; cloud: string | null }) =>
  change.steps.length === change.stepCount ? (
    <StepList change={change} steps={change.steps} cloud={cloud} label="Steps" />
  ) : (
    <div className="flex flex-col gap-3">
      {change.currentStep === null ? null : (
        <StepList change={change} steps={[change.currentStep]} cloud={cloud} label="Current step" />
      )}
      <LargeChangeSteps change={change} cloud={cloud} />
    </div>
  )

/** How far a change is, and who planned, ran and last decided. */
const StatePanel = ({ change }: { change: ChangeDetail }) => {
  const { word, tone } = CHANGE_STATE_TAGS[change.state]
  return (
    <Panel title="State">
      <KeyValues>
        <KeyValue label="State">
          <Tag tone={tone}>{word}</Tag> {change.isByHand ? 'run manually, tracked by the console' : null}
          {change.stopReason === null ? null : (
            <p className="mt-1 text-warn wrap-anywhere">
              <TimedText text={change.stopReason} isWhole />
            </p>
          )}
        </KeyValue>
        <KeyValue label="Planned">
          by {actorLabel(change.madeBy)}, <Moment at={change.madeAt} />
        </KeyValue>
        {change.runBy === null ? null : (
          <KeyValue label="Runs as">
            {actorLabel(change.runBy)}
            {change.startedAt === null ? null : (
              <>
                , started <Moment at={change.startedAt} />
              </>
            )}
          </KeyValue>
        )}
        <KeyValue label="Last action">
          “{actionLabel(change.lastAction)}” by {actorLabel(change.lastBy)}, <Moment at={change.lastAt} />
        </KeyValue>
        {change.endedAt === null ? null : (
          <KeyValue label="Ended">
            <Moment at={change.endedAt} />
          </KeyValue>
        )}
      </KeyValues>
    </Panel>
  )
}

const progress = ({ currentStep, stepCount }: ChangeDetail): string =>
  currentStep === null
    ? formatNoun(stepCount, 'step')
    : `step ${currentStep.position + 1} of ${formatCount(stepCount)}`

const Pending = () => (
  <div role="status" aria-label="Loading the change" className="flex flex-col gap-3">
    <Skeleton className="h-64" />
    <Skeleton className="h-28" />
  </div>
)

/** The instructions for a person, next to the state of a manual change. */
const ByHandPanel = ({ id }: { id: number }) => (
  <Panel title="Manual execution">
    <p className="mb-2 text-ink2">Download all steps with their commands and undo commands.</p>
    <div className="flex flex-wrap gap-2">
      <a
        href={apiPaths.changeRunbook({ id, format: 'md' })}
        download
        className={buttonStyle({ size: 'small' })}
      >
        Runbook
      </a>
      <a
        href={apiPaths.changeRunbook({ id, format: 'sh' })}
        download
        className={buttonStyle({ size: 'small' })}
      >
        Script
      </a>
    </div>
  </Panel>
)

/** One change, from its review to its end: every step with its literal call and its answer. */
export const ChangePage = ({ id }: { id: number }) => {
  const { cloud } = useCloud()
  const query = useQuery(changeDetailOptions({ id }))
  const { data, error, isPending } = query
  const isMissing = isNotFound(error)
  const view = data === undefined ? undefined : changeView(data.preview)
  return (
    <>
      <PageHeader
        title={`Change ${id}`}
        sub={data === undefined ? undefined : `${data.title}, ${progress(data)}`}
        actions={data === undefined ? undefined : <ChangeActions change={data} />}
      />
      {isPending && error === null ? <Pending /> : null}
      <SubjectProblem
        query={query}
        subject="change"
        all={{ href: changesPath({ cloud }), label: 'All changes' }}
        what="The change"
      />
      {data === undefined || isMissing ? null : (
        <>
          {isActiveChange(data.state) ? <ProgressStrip change={data} /> : null}
          <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-[minmax(0,1fr)_330px]">
            <div className="min-w-0">
              <p role="status" className="sr-only">
                {CHANGE_STATE_TAGS[data.state].word}, {progress(data)}
              </p>
              <div className="mb-3 flex flex-col gap-3 empty:hidden">
                {view?.aboveSteps?.({ ...data, cloud })}
              </div>
              <ChangeSteps change={data} cloud={cloud} />
              <div className="mt-3 flex flex-col gap-3 empty:hidden">
                {view?.belowSteps?.({ ...data, cloud })}
              </div>
            </div>
            <div className="flex min-w-0 flex-col gap-3">
              <StatePanel change={data} />
              {data.isByHand ? <ByHandPanel id={id} /> : null}
              <SourcesNowPanel change={data} cloud={cloud} />
              <TermsPanel change={data} />
              {view?.meaning({ ...data, cloud })}
              <Panel title="If you roll back now">
                <p>{rollbackText(data)}</p>
              </Panel>
              {data.isByHand ? null : <ByHandPanel id={id} />}
            </div>
          </div>
        </>
      )}
    </>
  )
}
