'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { StaleBanner } from '@/components/cloud/stale-banner'
import { CellLegend } from '@/components/gpu/cell-legend'
import { CellPatterns } from '@/components/gpu/cell-patterns'
import { GpuTotals } from '@/components/gpu/gpu-totals'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { buttonStyle } from '@/components/ui/button'
import { Skeleton, SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { freshnessOptions } from '@/lib/api/freshness'
import { overviewOptions } from '@/lib/api/overview'
import type { Overview } from '@/lib/schemas/api/fleet'
import { formatCount, formatNoun } from '@/lib/util/format'
import { agentSettingsPath, hostsPath } from '@/lib/util/paths'
import { AttentionPanel } from './attention-panel'
import { ModelTable } from './model-table'

/** Loaded after the first paint: their data is not part of the page either. */
const ActivePanels = dynamic(() => import('./active-panels').then((module) => module.ActivePanels), {
  ssr: false,
  loading: () => <Skeleton className="h-24 rounded-panel" />,
})
const TrendPanels = dynamic(() => import('./trend-panels').then((module) => module.TrendPanels), {
  ssr: false,
  loading: () => <Skeleton className="mb-3.5 h-32 rounded-panel" />,
})

/** Shown in a new console only. */
const SetUpChecklist = dynamic(
  () => import('@/components/onboarding/set-up-checklist').then((module) => module.SetUpChecklist),
  { ssr: false },
)

const FirstUse = () => {
  const { cloud } = useCloud()
  return (
    <EmptyState
      title="Add your first host"
      action={
        <Link href={agentSettingsPath({ cloud })} className={buttonStyle({ variant: 'main' })}>
          Add host
        </Link>
      }
    >
      One command installs the agent on a compute host. The agent only reads and needs no access to OpenStack.
      The GPUs of the host are listed here a few seconds later.
    </EmptyState>
  )
}

const NoGpus = ({ hosts }: { hosts: number }) => {
  const { cloud } = useCloud()
  return (
    <EmptyState
      title="No host has a GPU"
      action={
        <Link href={hostsPath({ cloud })} className={buttonStyle({ variant: 'plain' })}>
          View hosts
        </Link>
      }
    >
      {formatNoun(hosts, 'host reports', 'hosts report')}, but none lists a GPU on its PCI bus.
    </EmptyState>
  )
}

const Loading = () => (
  <div role="status" aria-label="Loading the overview">
    <Skeleton className="mb-3.5 h-[86px] rounded-panel" />
    <SkeletonRows rows={10} label="Loading the models" />
  </div>
)

/** The fleet at a glance. */
export const OverviewPage = () => {
  const { cloud } = useCloud()
  const query = useQuery(overviewOptions({ cloud }))
  const { data, error, isPending } = query
  const freshness = useQuery(freshnessOptions({ cloud }))
  const silent = freshness.data?.silentHosts.length ?? 0
  return (
    <>
      <PageHeader
        title="Overview"
        sub={
          data === undefined || data.hosts === 0
            ? undefined
            : `${formatNoun(data.pgpus, 'pGPU')} on ${formatNoun(data.hosts, 'host')}${silent === 0 ? '' : `, ${formatCount(silent)} not reporting`}`
        }
      />
      <StaleBanner />
      <LoadProblem query={query} what="The overview" />
      {isPending && error === null ? <Loading /> : null}
      {data === undefined ? null : <Fleet overview={data} />}
    </>
  )
}

const pgpusOf = ({ pgpus, passthrough }: Overview['byModel'][number]): number => pgpus + passthrough.pgpus

/** The models with the most pGPUs first, as in the list of GPUs. */
const bySize = (a: Overview['byModel'][number], b: Overview['byModel'][number]): number =>
  pgpusOf(b) - pgpusOf(a) || a.model.localeCompare(b.model, 'en', { numeric: true })

const Fleet = ({ overview }: { overview: Overview }) => (
  <>
    <SetUpChecklist key={overview.cloud} cloud={overview.cloud} isEmpty={overview.hosts === 0} />
    <FleetPanels overview={overview} />
  </>
)

const FleetPanels = ({ overview }: { overview: Overview }) => {
  const { hosts, pgpus, totals, passthrough, byModel, attention } = overview
  if (hosts === 0) return <FirstUse />
  if (pgpus === 0) return <NoGpus hosts={hosts} />
  return (
    <>
      <CellPatterns />
      <div className="mb-3.5 grid items-start gap-x-4 gap-y-3.5 xl:grid-cols-[minmax(0,1fr)_390px]">
        <AttentionPanel attention={attention} />
        <ActivePanels />
      </div>
      <GpuTotals label="Totals of the cloud" totals={totals} passthrough={passthrough} />
      <TrendPanels />
      <ModelTable byModel={byModel.toSorted(bySize)} />
      <CellLegend />
    </>
  )
}
