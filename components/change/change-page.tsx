'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { FenceConfigs, FenceHosts, FenceMeaning } from '@/components/fence/fence-meaning'
import { FlavorMeaning } from '@/components/flavor-builder/flavor-meaning'
import { LimitMeaning } from '@/components/quota/limit-meaning'
import { PageHeader } from '@/components/shell/page-header'
import { SubjectProblem } from '@/components/shell/subject-problem'
import { useCloud } from '@/components/shell/use-cloud'
import { useRefusal } from '@/components/shell/use-refusal'
import { buttonStyle } from '@/components/ui/button'
import { Panel } from '@/components/ui/panel'
import { Skeleton } from '@/components/ui/skeleton'
import { changeDetailOptions } from '@/lib/api/changes'
import { isNotFound } from '@/lib/api/client'
import { stepInHand } from '@/lib/domain/plans/step-in-hand'
import type { ChangeDetail, ChangeStep } from '@/lib/schemas/api/change'
import type { FlavorChangePreview } from '@/lib/schemas/api/flavor-change'
import { formatNoun } from '@/lib/util/format'
import {
  apiPaths,
  changesPath,
  newFencePath,
  newFlavorPath,
  newLimitsPath,
  newOrphansPath,
  newPassthroughPath,
  newTraitsPath,
  newTypePath,
} from '@/lib/util/paths'
import { ChangeActions } from './change-actions'
import { CHANGE_STATE_TAGS, rollBackWords } from './change-words'
import { ConfigTexts } from './config-texts'
import { OrphansMeaning } from './orphans-meaning'
import { LeftAlone, PreviewPanels, TouchedPgpus } from './preview-panels'
import { SkipStepDialog } from './skip-step-dialog'
import { SourcesNowPanel } from './sources-now-panel'
import { StatePanel } from './state-panel'
import { StepRow } from './step-row'
import { TermsPanel } from './terms-panel'
import { TraitTextsPanels } from './trait-texts-panels'
import { TypeBars } from './type-bars'
import { TypeMeaningPanels } from './type-meaning-panels'

const changedFlavors = ({ flavors }: FlavorChangePreview): string[] =>
  flavors.filter(({ isNew }) => !isNew).map(({ id }) => id)

/** The same wish, planned by what is there now. */
const planAgainPath = ({ kind, preview, steps }: ChangeDetail, cloud: string | null): string => {
  if (kind === 'orphans') return newOrphansPath({ cloud, gpus: preview.targets })
  if (preview.fence !== undefined)
    return newFencePath({
      cloud,
      host: preview.fence.hosts[0]?.host ?? '',
      search: { way: preview.fence.way },
    })
  if (preview.flavorChange !== undefined)
    return newFlavorPath({ cloud, flavors: changedFlavors(preview.flavorChange) })
  if (kind === 'passthrough')
    return newPassthroughPath({
      cloud,
      gpus: preview.targets,
      to: preview.typeChange?.toTypeId === 'sliceable' ? 'sliced' : 'whole',
    })
  if (preview.limitChange !== undefined) return newLimitsPath({ cloud, limits: preview.limitChange.effects })
  if (preview.typeChange != null)
    return newTypePath({ cloud, gpus: preview.targets, type: preview.typeChange.toTypeId })
  return newTraitsPath({
    cloud,
    gpus: preview.targets,
    // Such a step names the trait beside the provider, which may have lost several.
    isLost: steps.some(({ id }) => /^set-traits\/[^/]+\/./.test(id)),
    isKept: steps.some(({ id, title }) => id.startsWith('keep-traits/') && title.startsWith('Keep ')),
  })
}

const CAN_SKIP = ['waiting', 'blocked', 'failed']

/** The next step that writes nova.conf and that somebody does by hand: a deployment tool may have to. */
const stepOfConfig = ({ steps, isByHand }: ChangeDetail): ChangeStep | undefined =>
  steps.find(
    ({ id, doer, state, isUndo, wayOut, command }) =>
      id.startsWith('write-config/') &&
      !isUndo &&
      state !== 'done' &&
      state !== 'skipped' &&
      (isByHand || doer === 'operator' || wayOut === command),
  )

/** What a change that is over has not done waits for nothing any more. */
const asLeft = ({ state }: ChangeDetail, step: ChangeStep): ChangeStep =>
  (state === 'undone' || state === 'dropped') &&
  !step.hasEffect &&
  (step.state === 'waiting' || step.state === 'blocked')
    ? { ...step, state: 'pending', note: null, wayOut: null, changedAt: null }
    : step

const Steps = ({ change, cloud }: { change: ChangeDetail; cloud: string | null }) => {
  const refusal = useRefusal('change.run')
  const inHand = stepInHand(change)
  const config = stepOfConfig(change)
  const { typeChange, fence } = change.preview
  const isOpen = change.state === 'running' || change.state === 'stopped' || change.state === 'undoing'
  return (
    <ol aria-label="Steps" className="overflow-hidden rounded-panel border border-line bg-panel">
      {change.steps.map((step) => (
        <StepRow
          key={step.position}
          step={asLeft(change, step)}
          changeId={change.id}
          isByHand={change.isByHand}
          isInHand={step === inHand}
          aid={
            step !== config ? undefined : typeChange != null ? (
              <ConfigTexts change={typeChange} />
            ) : fence === undefined ? undefined : (
              <FenceConfigs fence={fence} />
            )
          }
          actions={
            isOpen && refusal === null && CAN_SKIP.includes(step.state) ? (
              <>
                <SkipStepDialog change={change} step={step} />
                {step.state === 'blocked' && !step.isUndo ? (
                  <Link href={planAgainPath(change, cloud)} className={buttonStyle({ size: 'small' })}>
                    Plan again
                  </Link>
                ) : null}
              </>
            ) : undefined
          }
        />
      ))}
    </ol>
  )
}

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
            <Steps change={data} cloud={cloud} />
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
