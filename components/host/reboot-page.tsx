'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { asSentence } from '@/components/finding/finding-labels'
import { OldReport } from '@/components/shell/old-report'
import { PageHeader } from '@/components/shell/page-header'
import { SilentTag } from '@/components/shell/silent-tag'
import { SubjectProblem } from '@/components/shell/subject-problem'
import { useCloud } from '@/components/shell/use-cloud'
import { CommandLine } from '@/components/ui/command-line'
import { CopyableId } from '@/components/ui/copyable'
import { Panel } from '@/components/ui/panel'
import { Skeleton, SkeletonRows } from '@/components/ui/skeleton'
import { Stat, StatStrip } from '@/components/ui/stat'
import { EmptyState } from '@/components/ui/states'
import { isNotFound } from '@/lib/api/client'
import { hostRebootOptions } from '@/lib/api/hosts'
import type { HostReboot, RebootPreviewDto } from '@/lib/schemas/api/reboot'
import { classNames } from '@/lib/util/class-names'
import { gpuPath, hostPath, hostsPath } from '@/lib/util/paths'
import { countFate, FATE_LABELS, novaComputeText, releaseText } from './reboot-labels'
import { RebootServers } from './reboot-servers'

/** Unused mdevs that a reboot recreates: they would keep their card on another type. */
const UnwantedMdevs = ({
  unwanted,
  host,
  cloud,
}: {
  unwanted: RebootPreviewDto['unwanted']
  host: string
  cloud: string | null
}) => (
  <Panel title="Recreated at boot" note="mdevs without a guest whose type is not configured in nova.conf">
    {unwanted === null ? (
      <p className="text-ink2">
        Unknown: nova.conf or the definitions of the mdevs could not be read. See the problems of the host.
      </p>
    ) : unwanted.length === 0 ? (
      <p className="text-ink2">None.</p>
    ) : (
      <ul className="flex flex-col gap-2.5">
        {unwanted.map(({ uuid, pgpuAddress, parent, typeName, because, command }) => (
          <li key={uuid} className="grid gap-x-4 gap-y-1 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
            <div>
              <p className="flex flex-wrap items-baseline gap-x-2">
                <span className="font-[550]">{typeName}</span>
                <CopyableId id={uuid} label="uuid of the mdev" name={`mdev of ${typeName}`} />
                {pgpuAddress === null ? (
                  <span className="font-mono text-small">{parent}</span>
                ) : (
                  <Link
                    href={gpuPath({ cloud, host, address: pgpuAddress })}
                    prefetch={false}
                    className="font-mono text-small hover:text-accent-ink hover:underline"
                  >
                    {parent}
                  </Link>
                )}
              </p>
              <p className="break-words text-ink2">{asSentence(because)}</p>
            </div>
            <CommandLine command={command} />
          </li>
        ))}
      </ul>
    )}
  </Panel>
)

const frames = { bad: 'border-bad bg-bad2', warn: 'border-warn bg-warn2', plain: 'border-line bg-panel' }
const inks = { bad: 'text-bad', warn: 'text-warn', plain: 'text-ink' }

/** What nova-compute itself would do: everything else depends on it. */
const NovaCompute = ({ reboot, preview }: { reboot: HostReboot; preview: RebootPreviewDto }) => {
  const { title, tone } = novaComputeText(preview.novaCompute)
  const release = releaseText(reboot)
  return (
    <section
      aria-label="nova-compute"
      className={classNames('mb-3 rounded-panel border px-3.5 py-2.5', frames[tone])}
    >
      <p>
        <strong className={classNames('font-semibold', inks[tone])}>{title}</strong>
        {preview.novaCompute.because === null ? '.' : `: ${preview.novaCompute.because}.`}
        {preview.novaCompute.isStarting === false
          ? ' Nova cannot start servers on this host until the mdevs are created manually.'
          : ''}
      </p>
      <p className="mt-0.5 text-ink2 text-small">
        {release === null
          ? 'Nova’s release is unknown because the cloud has not been read. '
          : `Based on ${release}. `}
        Scripts that create mdevs or set types at boot are not considered.
      </p>
    </section>
  )
}

const Counts = ({ preview }: { preview: RebootPreviewDto }) => (
  <StatStrip label="Servers with a vGPU or GPU after a reboot">
    <Stat
      label={FATE_LABELS.lost}
      value={String(countFate(preview, 'lost'))}
      tone={countFate(preview, 'lost') > 0 ? 'bad' : 'plain'}
    />
    <Stat label={FATE_LABELS.unknown} value={String(countFate(preview, 'unknown'))} />
    <Stat label={FATE_LABELS.returns} value={String(countFate(preview, 'returns'))} />
    <Stat
      label="Unexpected mdevs"
      value={preview.unwanted === null ? null : String(preview.unwanted.length)}
      tone={(preview.unwanted?.length ?? 0) > 0 ? 'warn' : 'plain'}
    />
  </StatStrip>
)

const Functions = ({ preview }: { preview: RebootPreviewDto }) =>
  preview.cardsThatNeedVfs.length === 0 ? null : (
    <Panel title="Virtual functions" note="assumed to be enabled at boot">
      <p>
        A systemd unit must enable the VFs of{' '}
        <span className="font-mono text-small">{preview.cardsThatNeedVfs.join(', ')}</span> at every boot (
        <code>sriov-manage -e</code>), before it creates GPU instances and sets vGPU types. Without VFs these
        cards have no vGPU after a reboot.
      </p>
    </Panel>
  )

const Preview = ({ reboot, cloud }: { reboot: HostReboot; cloud: string | null }) => {
  const { preview, host } = reboot
  if (preview === null)
    return (
      <EmptyState title="Preview not available">
        The guests or the mdevs of {host} could not be read, so the effect of a reboot is unknown. See the
        problems on the Sources tab of the host.
      </EmptyState>
    )
  return (
    <OldReport host={host} isSilent={reboot.isSilent} seenAt={reboot.seenAt}>
      <NovaCompute reboot={reboot} preview={preview} />
      <Counts preview={preview} />
      <div className="flex flex-col gap-3">
        {preview.servers.length === 0 ? (
          <EmptyState title="No server uses a GPU here">A reboot does not affect any vGPU.</EmptyState>
        ) : (
          <RebootServers servers={preview.servers} host={host} cloud={cloud} />
        )}
        <UnwantedMdevs unwanted={preview.unwanted} host={host} cloud={cloud} />
        <Functions preview={preview} />
      </div>
    </OldReport>
  )
}

const Pending = () => (
  <div role="status" aria-label="Loading the reboot preview" className="flex flex-col gap-3">
    <Skeleton className="h-14" />
    <Skeleton className="h-16" />
    <SkeletonRows rows={8} label="Rows on their way" />
  </div>
)

/** What would not come back after a reboot of a host, server by server. Nothing here reboots anything. */
export const RebootPage = ({ host }: { host: string }) => {
  const { cloud } = useCloud()
  const query = useQuery(hostRebootOptions({ cloud, host }))
  const { data, error, isPending } = query
  const isMissing = isNotFound(error)
  return (
    <>
      <PageHeader
        title={`Reboot of ${data?.host ?? host}`}
        sub={
          <>
            <Link href={hostPath({ cloud, host })} className="hover:text-ink hover:underline">
              The host
            </Link>
            , current state {data?.isSilent ? <SilentTag seenAt={data.seenAt} /> : null}
          </>
        }
      />
      {isPending && error === null ? <Pending /> : null}
      <SubjectProblem
        query={query}
        subject="host"
        all={{ href: hostsPath({ cloud }), label: 'All hosts' }}
        what="The reboot preview"
      />
      {data === undefined || isMissing ? null : <Preview reboot={data} cloud={cloud} />}
    </>
  )
}
