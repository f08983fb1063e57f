'use client'

import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp } from 'lucide-react'
import Link from 'next/link'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { SmallHistory } from '@/components/capacity/small-history'
import { GpuActions } from '@/components/gpu-detail/gpu-actions'
import { GpuCells } from '@/components/gpu-detail/gpu-cells'
import { GpuFacts } from '@/components/gpu-detail/gpu-facts'
import { GpuFindingsPanel } from '@/components/gpu-detail/gpu-findings-panel'
import { GuestsPanel } from '@/components/gpu-detail/guests-panel'
import { MdevsPanel } from '@/components/gpu-detail/mdevs-panel'
import { SourceSummary } from '@/components/gpu-detail/source-summary'
import { SourcesPanel } from '@/components/gpu-detail/sources-panel'
import { disagreementBadge, inUseBadge } from '@/components/gpu-detail/tab-badges'
import { OldReport } from '@/components/shell/old-report'
import { SubjectProblem } from '@/components/shell/subject-problem'
import { useCloud } from '@/components/shell/use-cloud'
import { Button } from '@/components/ui/button'
import { DetailsDrawer } from '@/components/ui/details-drawer'
import { SkeletonRows } from '@/components/ui/skeleton'
import { Tabs } from '@/components/ui/tabs'
import { useMedia } from '@/components/ui/use-media'
import { isNotFound } from '@/lib/api/client'
import { gpuDetailOptions } from '@/lib/api/gpu'
import { gpuSourcesOptions } from '@/lib/api/gpu-sources'
import { findRow } from '@/lib/domain/gpu-list/gpu-store'
import type { GpuDetail } from '@/lib/schemas/api/gpu'
import { gpuPath, gpusPath, hostPath } from '@/lib/util/paths'
import { gpuAt } from './gpu-at'
import type { GpuView } from './use-gpu-view'
import type { ShownGpu } from './use-shown-gpu'

/** The list keeps space for it from this width on, see gpu-rows.css. */
const INLINE = '(min-width: 1400px)'

const column = 'flex min-w-0 flex-col gap-3'

const DrawerTabs = ({
  gpu,
  cloud,
  tab,
}: {
  gpu: GpuDetail
  cloud: string | null
  tab: ComponentProps<typeof Tabs>['chosen']
}) => {
  const { host, address } = gpu
  const { data: sources } = useQuery(gpuSourcesOptions({ cloud, host, address }))
  return (
    <Tabs
      label="GPU"
      chosen={tab}
      tabs={[
        {
          value: 'overview',
          label: 'Overview',
          content: (
            <div className={column}>
              <GpuFindingsPanel gpu={gpu} sources={sources} cloud={cloud} />
              <GpuCells gpu={gpu} cloud={cloud} />
              {sources === undefined ? null : <SourceSummary sources={sources} />}
              <GpuFacts gpu={gpu} sources={sources} />
            </div>
          ),
        },
        {
          value: 'vgpus',
          label: 'vGPUs',
          badge: inUseBadge(gpu),
          content: (
            <div className={column}>
              <GuestsPanel gpu={gpu} sources={sources} />
              <MdevsPanel gpu={gpu} cloud={cloud} />
            </div>
          ),
        },
        {
          value: 'sources',
          label: 'Sources',
          badge: disagreementBadge(sources),
          content: <SourcesPanel cloud={cloud} host={host} address={address} />,
        },
        {
          value: 'history',
          label: 'History',
          content: <SmallHistory cloud={cloud} of={{ by: 'pgpu', host, address }} />,
        },
      ]}
    />
  )
}

/** The pGPUs before and after the shown one in the list; null: there is none. */
const neighborsOf = (view: GpuView, shown: ShownGpu): { before: ShownGpu | null; after: ShownGpu | null } => {
  const row = findRow(view.store, shown)
  const index = row === null ? -1 : view.rows.indexOf(row)
  return index < 0
    ? { before: null, after: null }
    : { before: gpuAt(view, index - 1), after: gpuAt(view, index + 1) }
}

const Step = ({
  to,
  label,
  show,
  children,
}: {
  to: ShownGpu | null
  label: string
  show: (gpu: ShownGpu) => void
  children: ReactNode
}) => (
  <Button
    variant="ghost"
    size="icon"
    aria-label={label}
    isUnavailable={to === null}
    onClick={() => (to === null ? undefined : show(to))}
  >
    {children}
  </Button>
)

/** One pGPU next to the list, without leaving it. */
export const GpuDrawer = ({
  shown,
  view,
  show,
  onClose,
}: {
  shown: ShownGpu
  view: GpuView
  show: (gpu: ShownGpu) => void
  onClose: () => void
}) => {
  const { cloud } = useCloud()
  const isInline = useMedia(INLINE, { onServer: true })
  const query = useQuery(gpuDetailOptions({ cloud, ...shown }))
  const { data: gpu, error } = query
  const { before, after } = neighborsOf(view, shown)
  // The next pGPU is shown on the same tab.
  const [tab, setTab] = useState('overview')
  const link = 'text-ink underline decoration-line underline-offset-[3px] hover:decoration-current'
  return (
    <DetailsDrawer
      isInline={isInline}
      onClose={onClose}
      title={gpu?.model ?? shown.address}
      above={
        <>
          <Link href={hostPath({ cloud, host: shown.host })} prefetch={false} className={link}>
            {shown.host}
          </Link>{' '}
          /{' '}
          <Link
            href={gpuPath({ cloud, ...shown })}
            prefetch={false}
            className={`font-mono text-small ${link}`}
          >
            {shown.address}
          </Link>
        </>
      }
      actions={
        <>
          <Step to={before} label="Previous GPU" show={show}>
            <ChevronUp size={15} aria-hidden />
          </Step>
          <Step to={after} label="Next GPU" show={show}>
            <ChevronDown size={15} aria-hidden />
          </Step>
        </>
      }
      foot={
        <>
          {gpu === undefined ? null : <GpuActions gpu={gpu} cloud={cloud} />}
          <Link
            href={gpuPath({ cloud, ...shown })}
            prefetch={false}
            className="ml-auto text-accent-ink underline"
          >
            View GPU page
          </Link>
        </>
      }
    >
      {query.isPending ? <SkeletonRows rows={10} label="Loading the pGPU" /> : null}
      <SubjectProblem
        query={query}
        subject="pGPU"
        all={{ href: gpusPath({ cloud }), label: 'All GPUs' }}
        what="The pGPU"
      />
      {gpu === undefined || isNotFound(error) ? null : (
        <OldReport host={gpu.host} isSilent={gpu.isSilent} seenAt={gpu.seenAt}>
          <DrawerTabs gpu={gpu} cloud={cloud} tab={{ value: tab, set: setTab }} />
        </OldReport>
      )}
    </DetailsDrawer>
  )
}
