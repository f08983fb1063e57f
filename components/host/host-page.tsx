'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { PlanLink } from '@/components/change/plan-link'
import { OldReport, silentRefusal } from '@/components/shell/old-report'
import { PageHeader } from '@/components/shell/page-header'
import { SilentTag } from '@/components/shell/silent-tag'
import { SubjectProblem } from '@/components/shell/subject-problem'
import { useCloud } from '@/components/shell/use-cloud'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { isNotFound } from '@/lib/api/client'
import { hostDetailOptions } from '@/lib/api/hosts'
import type { HostDetail } from '@/lib/schemas/api/host'
import { formatNoun } from '@/lib/util/format'
import { hostsPath, newTypePath, removedHostsPath } from '@/lib/util/paths'
import { HostTabs } from './host-tabs'

/** Not needed for the first paint. */
const RemoveHostsButton = dynamic(
  () => import('./remove-hosts-button').then((module) => module.RemoveHostsButton),
  { ssr: false },
)

/** Not needed for the first paint. */
const HostNotices = dynamic(() => import('./removal-notice').then((module) => module.HostNotices), {
  ssr: false,
})

const NoReport = ({ host }: { host: HostDetail }) => (
  <EmptyState title="No report yet">
    {host.name} has enrolled. Its pGPUs, guests and options are listed after the first report, usually within
    30 seconds. If no report arrives, check <code>journalctl -u sliceboard-agent</code> on the host.
  </EmptyState>
)

/** All of the host's pGPUs at once; one alone is changed from its own page. */
const ChangeTypeLink = ({ host, cloud }: { host: HostDetail; cloud: string | null }) => {
  const gpus = host.pgpus.filter(({ framework }) => framework !== 'none' && framework !== 'passthrough')
  const because = gpus.length === 0 ? 'No GPU of this host is configured for vGPUs.' : null
  return (
    <PlanLink
      href={newTypePath({ cloud, gpus: gpus.map(({ address }) => ({ host: host.name, address })) })}
      variant="main"
      because={because ?? silentRefusal({ host: host.name, isSilent: host.isSilent })}
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
        <OldReport host={host.name} isSilent={host.isSilent} seenAt={host.seenAt}>
          <HostTabs host={host} cloud={cloud} />
        </OldReport>
      )}
    </>
  )
}
