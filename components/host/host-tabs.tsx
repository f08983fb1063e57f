'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { SubjectFindings } from '@/components/finding/subject-findings'
import { CellPatterns } from '@/components/gpu/cell-patterns'
import { HeadroomPanel } from '@/components/gpu-headroom/headroom-panel'
import { PageTabs } from '@/components/shell/page-tabs'
import { Panel } from '@/components/ui/panel'
import type { Tab } from '@/components/ui/tabs'
import { hostRebootOptions } from '@/lib/api/hosts'
import type { HostDetail } from '@/lib/schemas/api/host'
import { formatCount, formatNoun } from '@/lib/util/format'
import { hostRebootPath } from '@/lib/util/paths'
import { HostFactsPanel } from './host-facts-panel'
import { HostGpusPanel } from './host-gpus-panel'
import { countFate, novaComputeText } from './reboot-labels'

/** The effects of a reboot in two lines, with a link to each server. */
const RebootPanel = ({ host, cloud }: { host: string; cloud: string | null }) => {
  const { data, isError } = useQuery(hostRebootOptions({ cloud, host }))
  const preview = data?.preview ?? null
  const words = preview === null ? null : novaComputeText(preview.novaCompute)
  const lost = preview === null ? 0 : countFate(preview, 'lost')
  return (
    <Panel title="After a reboot">
      {preview === null ? (
        <p className="text-ink2">
          {isError && data === undefined
            ? 'The preview could not be loaded.'
            : data === undefined
              ? 'Loading.'
              : 'Unknown: the guests or mdevs could not be read.'}
        </p>
      ) : (
        <p>
          {lost === 0 ? (
            `${formatNoun(preview.servers.length, 'server')} with a vGPU or GPU, none is known to lose it.`
          ) : (
            <span className="font-[550] text-bad">
              {lost} of {formatNoun(preview.servers.length, 'server')} will not start.
            </span>
          )}{' '}
          {words?.tone === 'plain' ? null : <span>{words?.title}.</span>}
        </p>
      )}
      <p className="mt-1">
        <Link href={hostRebootPath({ cloud, host })} prefetch={false} className="text-accent-ink underline">
          View servers
        </Link>
      </p>
    </Panel>
  )
}

/** The scripts of the other tabs load when a tab is chosen. */
const HostGuestsPanel = dynamic(() => import('./host-guests-panel').then((module) => module.HostGuestsPanel))
const SourcesTab = dynamic(() => import('./host-sources-tab').then((module) => module.HostSourcesTab))
const HistoryTab = dynamic(() =>
  import('@/components/capacity/history-tab').then((module) => module.HistoryTab),
)

type TabProps = { host: HostDetail; cloud: string | null }

const silentSince = ({ isSilent, seenAt }: HostDetail) => (isSilent ? seenAt : undefined)

const column = 'flex min-w-0 flex-col gap-3'

const OverviewTab = ({ host, cloud }: TabProps) => (
  <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-[minmax(0,1fr)_300px]">
    <div className={column}>
      <HostGpusPanel host={host} cloud={cloud} />
      <HeadroomPanel host={host.name} cloud={cloud} silentSince={silentSince(host)} />
    </div>
    <div className={column}>
      <SubjectFindings cloud={cloud} host={host.name} own={host.findings} note="of the host and its GPUs" />
      <RebootPanel host={host.name} cloud={cloud} />
      <HostFactsPanel host={host} />
    </div>
  </div>
)

const badgeOf = (count: number, noun: string, tone: 'quiet' | 'warn'): Tab['badge'] => ({
  text: formatCount(count),
  label: formatNoun(count, noun),
  tone,
})

/** Everything that a host and the cloud report about it, by question. */
export const HostTabs = (props: TabProps) => {
  const { host, cloud } = props
  const { guests, problems } = host
  return (
    <>
      <CellPatterns />
      <PageTabs
        label="Host"
        tabs={[
          { value: 'overview', label: 'Overview', content: <OverviewTab {...props} /> },
          {
            value: 'guests',
            label: 'Guests',
            badge: guests === null ? undefined : badgeOf(guests.length, 'guest', 'quiet'),
            content: <HostGuestsPanel {...props} />,
          },
          {
            value: 'sources',
            label: 'Sources',
            badge: problems.length === 0 ? undefined : badgeOf(problems.length, 'problem', 'warn'),
            content: <SourcesTab {...props} />,
          },
          {
            value: 'history',
            label: 'History',
            content: <HistoryTab cloud={cloud} host={host.name} silentSince={silentSince(host)} />,
          },
        ]}
      />
    </>
  )
}
