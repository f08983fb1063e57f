'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { SmallHistory } from '@/components/capacity/small-history'
import { PlanLink } from '@/components/change/plan-link'
import { SubjectFindings } from '@/components/finding/subject-findings'
import { CellPatterns } from '@/components/gpu/cell-patterns'
import { guestStateLabel } from '@/components/gpu/guest-state'
import { OccupantName } from '@/components/gpu/occupant-name'
import { HeadroomPanel } from '@/components/gpu-headroom/headroom-panel'
import { OldReport, silentRefusal } from '@/components/shell/old-report'
import { PageHeader } from '@/components/shell/page-header'
import { SilentTag } from '@/components/shell/silent-tag'
import { SubjectProblem } from '@/components/shell/subject-problem'
import { useCloud } from '@/components/shell/use-cloud'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { UsageDayPanel } from '@/components/utilization/usage-day-panel'
import { isNotFound } from '@/lib/api/client'
import { hostDetailOptions, hostRebootOptions } from '@/lib/api/hosts'
import type { HostDetail } from '@/lib/schemas/api/host'
import { formatNoun } from '@/lib/util/format'
import { gpuPath, hostRebootPath, hostsPath, newTypePath, removedHostsPath } from '@/lib/util/paths'
import { HostFactsPanel } from './host-facts-panel'
import { HostGpusPanel } from './host-gpus-panel'
import { NovaConfigPanel } from './nova-config-panel'
import { countFate, novaComputeText } from './reboot-labels'

/** Guests of the host, those that hold something of a GPU first. */
const HostGuestsPanel = ({ host, cloud }: { host: HostDetail; cloud: string | null }) => {
  if (host.guests === null)
    return (
      <Panel title="Guests">
        <p className="text-ink2">Unknown: no guest definition could be read. The problems list the reason.</p>
      </Panel>
    )
  const guests = host.guests.toSorted((a, b) => Math.sign(b.gpus.length) - Math.sign(a.gpus.length))
  return (
    <Panel title="Guests" note={`${guests.length}, running and shut off`}>
      {guests.length === 0 ? (
        <p className="text-ink2">libvirt defines no guest here.</p>
      ) : (
        <SideScroll className="-mb-3">
          <Table>
            <thead>
              <tr>
                <Th>Server or guest</Th>
                <Th>State</Th>
                <Th>Project</Th>
                <Th>Flavor</Th>
                <Th>GPUs</Th>
              </tr>
            </thead>
            <tbody>
              {guests.map((guest) => (
                <Tr key={guest.guestUuid}>
                  <Td className="whitespace-nowrap">
                    <OccupantName occupant={{ ...guest, guestState: 'running' }} />
                  </Td>
                  <Td className="whitespace-nowrap">{guestStateLabel(guest.guestState)}</Td>
                  <Td>{guest.projectName}</Td>
                  <Td>{guest.flavorName}</Td>
                  <Td className="font-mono text-small">
                    {guest.gpus.map((address) => (
                      <Link
                        key={address}
                        href={gpuPath({ cloud, host: host.name, address })}
                        className="mr-2 hover:text-accent-ink hover:underline"
                      >
                        {address}
                      </Link>
                    ))}
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        </SideScroll>
      )}
    </Panel>
  )
}

const meanings: Record<string, string> = {
  vanished: 'The file was deleted between listing and reading.',
  permission: 'The agent cannot read the file. It runs as root: check mounts and security modules.',
  dangling: 'The target of the link does not exist.',
  malformed: 'The format is invalid. The file may be incomplete.',
  refused: 'The content is not read for security reasons.',
  incomplete: 'A related part is missing.',
  'command-failed': 'A command that the agent runs failed.',
  'too-large': 'The file is too large.',
  'odd-name': 'The name has invalid characters.',
  io: 'Reading failed.',
  clock: 'The host’s clock differs from the console’s.',
}

/** What the agent could not read. The rest of the scan is valid. */
const HostProblemsPanel = ({ problems }: { problems: HostDetail['problems'] }) => (
  <Panel title="Problems" note={problems.length === 0 ? undefined : 'what the agent could not read'}>
    {problems.length === 0 ? (
      <p className="text-ink2">None. The agent read all of its sources.</p>
    ) : (
      <SideScroll className="-mb-3">
        <Table>
          <thead>
            <tr>
              <Th>Source</Th>
              <Th>Kind</Th>
              <Th>Message</Th>
            </tr>
          </thead>
          <tbody>
            {problems.map(({ source, code, message }) => (
              <Tr key={`${source} ${code} ${message}`}>
                <Td className="min-w-56 break-all align-top font-mono text-small">{source}</Td>
                <Td className="align-top">
                  <Tag tone="warn">{code.replaceAll('-', ' ')}</Tag>
                </Td>
                <Td className="min-w-56">
                  {message}
                  <p className="text-ink2 text-small">{meanings[code]}</p>
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </SideScroll>
    )}
  </Panel>
)

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
  <OldReport host={host.name} isSilent={host.isSilent} seenAt={host.seenAt}>
    <CellPatterns />
    <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-[minmax(0,1fr)_300px]">
      <div className="flex min-w-0 flex-col gap-3">
        <HostGpusPanel host={host} cloud={cloud} />
        <SmallHistory cloud={cloud} of={{ by: 'host', host: host.name }} />
        <UsageDayPanel host={host.name} cloud={cloud} silentSince={host.isSilent ? host.seenAt : undefined} />
        <HeadroomPanel host={host.name} cloud={cloud} silentSince={host.isSilent ? host.seenAt : undefined} />
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
  </OldReport>
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
