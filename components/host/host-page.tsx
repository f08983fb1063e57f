'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { SmallHistory } from '@/components/capacity/small-history'
import { PlanLink } from '@/components/change/plan-link'
import { SubjectFindings } from '@/components/finding/subject-findings'
import { CellPatterns } from '@/components/gpu/cell-patterns'
import { RoomPanel } from '@/components/gpu-room/room-panel'
import { OldWords, silentRefusal } from '@/components/shell/old-words'
import { PageHeader } from '@/components/shell/page-header'
import { SilentTag } from '@/components/shell/silent-tag'
import { SubjectProblem } from '@/components/shell/subject-problem'
import { useCloud } from '@/components/shell/use-cloud'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { UsageDayPanel } from '@/components/utilisation/usage-day-panel'
import { isNotFound } from '@/lib/api/client'
import { hostDetailOptions } from '@/lib/api/hosts'
import type { HostDetail } from '@/lib/schemas/api/host'
import { formatNoun } from '@/lib/util/format'
import { hostsPath, newTypePath, removedHostsPath } from '@/lib/util/paths'
import { HostFactsPanel } from './host-facts-panel'
import { HostGpusPanel } from './host-gpus-panel'
import { HostGuestsPanel } from './host-guests-panel'
import { HostProblemsPanel } from './host-problems-panel'
import { NovaConfigPanel } from './nova-config-panel'
import { RebootPanel } from './reboot-panel'

/** Below the first screen: the page contains its text, and its script follows. */
const HostPciPanel = dynamic(() => import('./host-pci-panel').then((module) => module.HostPciPanel))

/** Not needed for the first paint. */
const RemoveHostsButton = dynamic(
  () => import('./remove-hosts-button').then((module) => module.RemoveHostsButton),
  { ssr: false },
)

/** Not needed for the first paint. */
const HostNotices = dynamic(() => import('./removal-notice').then((module) => module.HostNotices), {
  ssr: false,
})

const Detail = ({ host, cloud }: { host: HostDetail; cloud: string | null }) => (
  <OldWords host={host.name} isSilent={host.isSilent} seenAt={host.seenAt}>
    <CellPatterns />
    <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-[minmax(0,1fr)_300px]">
      <div className="flex min-w-0 flex-col gap-3">
        <HostGpusPanel host={host} cloud={cloud} />
        <SmallHistory cloud={cloud} of={{ by: 'host', host: host.name }} />
        <UsageDayPanel host={host.name} cloud={cloud} silentSince={host.isSilent ? host.seenAt : undefined} />
        <RoomPanel host={host.name} cloud={cloud} silentSince={host.isSilent ? host.seenAt : undefined} />
        <HostGuestsPanel host={host} cloud={cloud} />
        <HostPciPanel host={host.name} cloud={cloud} />
        <NovaConfigPanel config={host.novaConfig} />
        <HostProblemsPanel problems={host.problems} />
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <SubjectFindings cloud={cloud} host={host.name} own={host.findings} note="of the host and its GPUs" />
        <RebootPanel host={host.name} cloud={cloud} />
        <HostFactsPanel host={host} />
      </div>
    </div>
  </OldWords>
)

const NoReport = ({ host }: { host: HostDetail }) => (
  <EmptyState title="No report yet">
    {host.name} has enrolled. Its pGPUs, guests and options are listed after the first report, usually within
    30 seconds. If no report arrives, check <code>journalctl -u sliceboard-agent</code> on the host.
  </EmptyState>
)

/** All of the host's pGPUs at once; one alone is changed from its own page. */
const ChangeTypeLink = ({ host, cloud }: { host: HostDetail; cloud: string | null }) => {
  const gpus = host.pgpus.filter(({ framework }) => framework !== 'none' && framework !== 'passthrough')
  return gpus.length === 0 ? null : (
    <PlanLink
      href={newTypePath({ cloud, gpus: gpus.map(({ address }) => ({ host: host.name, address })) })}
      variant="main"
      because={silentRefusal({ host: host.name, isSilent: host.isSilent })}
    >
      Change type
    </PlanLink>
  )
}

/** One host with everything that its agent reports. */
export const HostPage = ({ host: name }: { host: string }) => {
  const router = useRouter()
  const { cloud } = useCloud()
  // Nothing is fetched of a removed host while the next page loads.
  const [isRemoved, setIsRemoved] = useState(false)
  const query = useQuery({ ...hostDetailOptions({ cloud, host: name }), enabled: !isRemoved })
  const { data: host, error, isPending } = query
  const isMissing = isNotFound(error)
  return (
    <>
      <PageHeader
        title={host?.name ?? name}
        sub={
          host === undefined ? undefined : (
            <>
              {formatNoun(host.pgpus.length, 'pGPU')}
              {host.guests === null ? '' : `, ${formatNoun(host.guests.length, 'guest')}`}{' '}
              {host.isSilent ? <SilentTag seenAt={host.seenAt} /> : null}
            </>
          )
        }
        isSubWhole
        actions={
          host === undefined ? undefined : (
            <>
              <RemoveHostsButton
                label="Remove host"
                hosts={[host.name]}
                isReporting={!host.isSilent}
                onRemoved={() => {
                  setIsRemoved(true)
                  router.push(removedHostsPath({ cloud }))
                }}
              />
              <ChangeTypeLink host={host} cloud={cloud} />
            </>
          )
        }
      />
      {isPending ? <SkeletonRows rows={12} label="Loading the host" /> : null}
      <SubjectProblem
        query={query}
        subject="host"
        all={{ href: hostsPath({ cloud }), label: 'All hosts' }}
        what="The host"
      />
      {host === undefined || isMissing || isRemoved ? null : (
        <HostNotices host={host.name} isEnrollmentWaiting={host.isEnrollmentWaiting} />
      )}
      {host === undefined || isMissing || isRemoved ? null : host.reportedAt === null ? (
        <NoReport host={host} />
      ) : (
        <Detail host={host} cloud={cloud} />
      )}
    </>
  )
}
