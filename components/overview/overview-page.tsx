'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { StaleBanner } from '@/components/cloud/stale-banner'
import { SubjectLink } from '@/components/finding/subject-link'
import { CellLegend } from '@/components/gpu/cell-legend'
import { CellPatterns } from '@/components/gpu/cell-patterns'
import { GpuTotals } from '@/components/gpu/gpu-totals'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { SilentTag } from '@/components/shell/silent-tag'
import { TimedText } from '@/components/shell/timed-text'
import { useCloud } from '@/components/shell/use-cloud'
import { buttonStyle } from '@/components/ui/button'
import { Panel } from '@/components/ui/panel'
import { SeverityText } from '@/components/ui/severity-text'
import { Skeleton, SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { freshnessOptions } from '@/lib/api/freshness'
import { overviewOptions } from '@/lib/api/overview'
import { subjectText } from '@/lib/domain/finding-list/finding-labels'
import type { Overview } from '@/lib/schemas/api/fleet'
import { formatCount, formatNoun } from '@/lib/util/format'
import { agentSettingsPath, findingsPath, gpusPath, hostPath, hostsPath } from '@/lib/util/paths'
import { ModelTable } from './model-table'

const SHOWN_SUBJECTS = 3

type Attention = Overview['attention'][number]

/** A finding of a round links to the list of findings; else pGPUs and hosts link to their own lists. */
export const attentionPath = ({ code, subjects, isTracked }: Attention, cloud: string | null): string => {
  if (isTracked) return findingsPath({ cloud, search: { code } })
  if (subjects.some(({ kind }) => kind === 'pgpu')) return gpusPath({ cloud, search: { finding: code } })
  const [only, another] = subjects
  return only?.kind === 'host' && another === undefined
    ? hostPath({ cloud, host: only.host })
    : hostsPath({ cloud })
}

/** A console without reports is one finding, independent of the number of silent hosts in its sentence. */
const findingCount = ({ code, count }: Attention): number => (code === 'console-blind' ? 1 : count)

/** `15 findings of 9 kinds`; undefined when there is none. */
export const attentionNote = (attention: readonly Attention[]): string | undefined => {
  const findings = attention.reduce((sum, one) => sum + findingCount(one), 0)
  if (findings === 0) return undefined
  const kinds = findings === attention.length ? '' : ` of ${formatNoun(attention.length, 'kind')}`
  return `${formatNoun(findings, 'finding')}${kinds}`
}

/** Each subject once, though it may have several findings of a kind; `rest` counts the findings of others. */
export const shownSubjects = ({ subjects, count }: Pick<Attention, 'subjects' | 'count'>) => {
  const texts = [...new Set(subjects.map(subjectText))].slice(0, SHOWN_SUBJECTS)
  const told = subjects.filter((subject) => texts.includes(subjectText(subject)))
  const shown = told.filter(
    (subject, at) => told.findIndex((one) => subjectText(one) === subjectText(subject)) === at,
  )
  return { subjects: shown, rest: count - told.length }
}

const Subjects = ({ attention, cloud }: { attention: Attention; cloud: string | null }) => {
  const { subjects, rest } = shownSubjects(attention)
  if (subjects.length === 0) return null
  return (
    <p className="mt-0.5 break-words pl-[15px] text-ink3 text-small">
      {subjects.map((subject, at) => (
        <span key={subjectText(subject)}>
          {at === 0 ? '' : ', '}
          <SubjectLink subject={subject} cloud={cloud} />
        </span>
      ))}
      {rest > 0 ? ` and ${formatCount(rest)} more` : null}
    </p>
  )
}

const AttentionList = ({ attention }: { attention: Overview['attention'] }) => {
  const { cloud } = useCloud()
  return (
    <Panel
      title="Needs attention"
      note={attentionNote(attention)}
      actions={
        attention.some(({ isTracked }) => isTracked) ? (
          <Link href={findingsPath({ cloud })} prefetch={false} className="text-small underline">
            All findings
          </Link>
        ) : undefined
      }
    >
      {attention.length === 0 ? (
        <p className="text-ink2">No findings. On every host the GPUs match nova.conf.</p>
      ) : (
        <ul className="-mx-3.5 -mb-3">
          {attention.map((one) => (
            <li key={one.code} className="border-line2 border-t px-3.5 py-2">
              <div className="flex items-baseline gap-3">
                <Link
                  href={attentionPath(one, cloud)}
                  prefetch={false}
                  className="min-w-0 flex-1 pl-[15px] -indent-[15px] hover:underline [&>.sign]:text-body"
                >
                  <SeverityText severity={one.severity}>
                    <TimedText text={one.sentence} />
                  </SeverityText>
                </Link>
                <span className="text-ink3 text-small tabular-nums">{formatCount(findingCount(one))}</span>
              </div>
              <Subjects attention={one} cloud={cloud} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

const SHOWN = 6

/** Hosts that have not reported for too long. Left out while the console is blind: then it is not about the hosts. */
const SilentHosts = () => {
  const { cloud } = useCloud()
  const { data } = useQuery(freshnessOptions({ cloud }))
  const hosts = data?.silentHosts ?? []
  if (hosts.length === 0 || data?.isBlind) return null
  return (
    <Panel
      title="Silent hosts"
      note={`${hosts.length} of ${data?.hostCount ?? 0}`}
      actions={
        <Link href={gpusPath({ cloud, search: { holds: 'silent' } })} className="text-small underline">
          View pGPUs
        </Link>
      }
    >
      <ul className="flex flex-col gap-1">
        {hosts.slice(0, SHOWN).map(({ host, seenAt }) => (
          <li key={host} className="flex items-baseline justify-between gap-3">
            <Link
              href={hostPath({ cloud, host })}
              prefetch={false}
              className="min-w-0 truncate hover:underline"
            >
              {host}
            </Link>
            <SilentTag seenAt={seenAt} />
          </li>
        ))}
      </ul>
      {hosts.length > SHOWN ? (
        <p className="mt-1 text-ink3 text-small">
          and {formatNoun(hosts.length - SHOWN, 'more host', 'more hosts')}
        </p>
      ) : null}
    </Panel>
  )
}

const FirstUse = () => {
  const { cloud } = useCloud()
  return (
    <EmptyState
      title="Add your first host"
      action={
        <Link href={agentSettingsPath({ cloud })} className={buttonStyle({ variant: 'main' })}>
          Add a host
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
  return (
    <>
      <PageHeader
        title="Overview"
        sub={
          data === undefined || data.hosts === 0
            ? undefined
            : `${formatNoun(data.pgpus, 'pGPU')} on ${formatNoun(data.hosts, 'host')}`
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

const Fleet = ({ overview }: { overview: Overview }) => {
  const { hosts, pgpus, totals, passthrough, byModel, attention } = overview
  if (hosts === 0) return <FirstUse />
  if (pgpus === 0) return <NoGpus hosts={hosts} />
  return (
    <>
      <CellPatterns />
      <GpuTotals label="Totals of the cloud" totals={totals} passthrough={passthrough} />
      <div className="grid items-start gap-x-4 gap-y-3.5 xl:grid-cols-[minmax(0,1fr)_330px]">
        <div className="min-w-0">
          <ModelTable byModel={byModel.toSorted(bySize)} />
          <CellLegend />
        </div>
        <div className="flex min-w-0 flex-col gap-3.5">
          <AttentionList attention={attention} />
          <SilentHosts />
        </div>
      </div>
    </>
  )
}
