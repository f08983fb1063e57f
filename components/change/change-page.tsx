'use client'

import { useQuery } from '@tanstack/react-query'
import { FenceHosts, FenceMeaning } from '@/components/fence/fence-meaning'
import { FlavorMeaning } from '@/components/flavor-builder/flavor-meaning'
import { LimitMeaning } from '@/components/quota/limit-meaning'
import { PageHeader } from '@/components/shell/page-header'
import { SubjectProblem } from '@/components/shell/subject-problem'
import { useCloud } from '@/components/shell/use-cloud'
import { buttonStyle } from '@/components/ui/button'
import { Panel } from '@/components/ui/panel'
import { Skeleton } from '@/components/ui/skeleton'
import { changeDetailOptions } from '@/lib/api/changes'
import { isNotFound } from '@/lib/api/client'
import { stepInHand } from '@/lib/domain/plans/step-in-hand'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import { formatNoun } from '@/lib/util/format'
import { apiPaths, changesPath } from '@/lib/util/paths'
import { ChangeActions } from './change-actions'
import { ChangeSteps } from './change-steps'
import { CHANGE_STATE_TAGS, rollBackWords } from './change-words'
import { OrphansMeaning } from './orphans-meaning'
import { LeftAlone, PreviewPanels, TouchedPgpus } from './preview-panels'
import { SourcesNowPanel } from './sources-now-panel'
import { StatePanel } from './state-panel'
import { TermsPanel } from './terms-panel'
import { TraitTextsPanels } from './trait-texts-panels'
import { TypeBars } from './type-bars'
import { TypeMeaningPanels } from './type-meaning-panels'

/** What the change means, by its kind. */
const Meaning = ({ change, cloud }: { change: ChangeDetail; cloud: string | null }) => {
  const { kind, preview, steps } = change
  if (kind === 'orphans')
    return (
      <>
        <OrphansMeaning steps={steps} />
        <TouchedPgpus preview={preview} cloud={cloud} unchangedWords="have no orphans." />
        <LeftAlone refusals={preview.refusals} cloud={cloud} />
      </>
    )
  if (preview.fence !== undefined) return <FenceMeaning fence={preview.fence} />
  if (preview.flavorChange !== undefined) return <FlavorMeaning change={preview.flavorChange} cloud={cloud} />
  if (preview.limitChange !== undefined) return <LimitMeaning change={preview.limitChange} />
  if (preview.typeChange == null) return <PreviewPanels preview={preview} cloud={cloud} />
  return (
    <>
      <LeftAlone refusals={preview.refusals} cloud={cloud} />
      <TypeMeaningPanels change={preview.typeChange} />
    </>
  )
}

const progress = ({ state, steps }: ChangeDetail): string => {
  const inHand = stepInHand({ state, steps })
  return inHand === undefined
    ? formatNoun(steps.length, 'step')
    : `step ${inHand.position + 1} of ${steps.length}`
}

const Pending = () => (
  <div role="status" aria-label="Loading the change" className="flex flex-col gap-3">
    <Skeleton className="h-64" />
    <Skeleton className="h-28" />
  </div>
)

/** What a person follows; beside the state when the change is done by hand. */
const ByHandPanel = ({ id }: { id: number }) => (
  <Panel title="By hand">
    <p className="mb-2 text-ink2">The whole change as text, each step with its command and its undo.</p>
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
        <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-[minmax(0,1fr)_330px]">
          <div className="min-w-0">
            <p role="status" className="sr-only">
              {CHANGE_STATE_TAGS[data.state].word}, {progress(data)}
            </p>
            {data.preview.typeChange == null ? null : (
              <div className="mb-3">
                <TypeBars change={data.preview.typeChange} cloud={cloud} />
              </div>
            )}
            {data.preview.fence === undefined ? null : (
              <div className="mb-3 flex flex-col gap-3">
                <FenceHosts fence={data.preview.fence} />
              </div>
            )}
            <ChangeSteps change={data} cloud={cloud} />
            <div className="mt-3 flex flex-col gap-3 empty:hidden">
              <TraitTextsPanels preview={data.preview} />
            </div>
          </div>
          <div className="flex min-w-0 flex-col gap-3">
            <StatePanel change={data} />
            {data.isByHand ? <ByHandPanel id={id} /> : null}
            <SourcesNowPanel change={data} cloud={cloud} />
            <TermsPanel change={data} />
            <Meaning change={data} cloud={cloud} />
            <Panel title="If you roll back here">
              <p>{rollBackWords(data)}</p>
            </Panel>
            {data.isByHand ? null : <ByHandPanel id={id} />}
          </div>
        </div>
      )}
    </>
  )
}
