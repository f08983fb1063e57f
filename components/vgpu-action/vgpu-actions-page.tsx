'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { StaleBanner } from '@/components/cloud/stale-banner'
import { HostsNav } from '@/components/host/hosts-nav'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { SkeletonRows } from '@/components/ui/skeleton'
import { Table, TablePanel, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { vgpuActionsOptions } from '@/lib/api/vgpu-actions'
import type { VgpuActionDto, VgpuActions } from '@/lib/schemas/api/vgpu-action'
import { formatNoun } from '@/lib/util/format'
import { hostPath } from '@/lib/util/paths'

const STATES: Readonly<
  Record<VgpuActionDto['state'], { label: string; tone: 'quiet' | 'accent' | 'warn' | 'bad' }>
> = {
  supported: { label: 'Supported', tone: 'accent' },
  fails: { label: 'Not supported', tone: 'bad' },
  limited: { label: 'Limited', tone: 'warn' },
  unknown: { label: 'Unknown', tone: 'quiet' },
}

const MAX_HOSTS = 8

const HostsBelow = ({ hosts }: Pick<VgpuActionDto, 'hosts'>) => {
  const { cloud } = useCloud()
  return hosts.length === 0 ? null : (
    <ul className="mt-1 flex flex-col text-small" aria-label="Hosts without support">
      {hosts.slice(0, MAX_HOSTS).map(({ name, because }) => (
        <li key={name} className="wrap-anywhere">
          <Link href={hostPath({ cloud, host: name })} prefetch={false} className="text-accent-ink underline">
            {name}
          </Link>{' '}
          {because}
        </li>
      ))}
      {hosts.length > MAX_HOSTS ? (
        <li className="text-ink2">and {formatNoun(hosts.length - MAX_HOSTS, 'more host', 'more hosts')}</li>
      ) : null}
    </ul>
  )
}

const Source = ({ source, link }: Pick<VgpuActionDto, 'source' | 'link'>) => (
  <a
    href={link}
    target="_blank"
    rel="noreferrer"
    className="text-accent-ink text-small underline wrap-anywhere"
  >
    {source}
  </a>
)

const Row = ({ action }: { action: VgpuActionDto }) => {
  const { label, tone } = STATES[action.state]
  return (
    <Tr>
      <Td className="align-top font-[550] md:min-w-44">
        {action.title}
        <span className="mt-0.5 block font-normal md:hidden">
          <Tag tone={tone}>{label}</Tag>
        </span>
      </Td>
      <Td className="align-top max-md:hidden">
        <Tag tone={tone}>{label}</Tag>
      </Td>
      <Td className="whitespace-nowrap align-top text-ink2 max-md:hidden">{action.since ?? '–'}</Td>
      <Td className="align-top md:min-w-72">
        {action.sentence}
        <HostsBelow hosts={action.hosts} />
        <span className="mt-1 block xl:hidden">
          <Source {...action} />
        </span>
      </Td>
      <Td className="align-top max-xl:hidden xl:min-w-56">
        <Source {...action} />
      </Td>
    </Tr>
  )
}

const List = ({ actions }: Pick<VgpuActions, 'actions'>) => (
  <TablePanel>
    <Table aria-label="vGPU support by action">
      <thead>
        <tr>
          <Th>Action</Th>
          <Th className="max-md:hidden">Support</Th>
          <Th className="max-md:hidden">First release</Th>
          <Th>Details</Th>
          <Th className="max-xl:hidden">Source</Th>
        </tr>
      </thead>
      <tbody>
        {actions.map((action) => (
          <Row key={action.name} action={action} />
        ))}
      </tbody>
    </Table>
  </TablePanel>
)

/** What works with vGPUs on the release of Nova that the cloud runs. */
export const VgpuActionsPage = () => {
  const { cloud } = useCloud()
  const query = useQuery(vgpuActionsOptions({ cloud }))
  const { data, error, isPending } = query
  return (
    <>
      <PageHeader
        title="vGPU support"
        sub={
          data === undefined
            ? undefined
            : data.release === null
              ? "Nova's release is unknown"
              : `nova-api: ${data.release} (compute API ${data.apiVersion})`
        }
      />
      <HostsNav />
      <LoadProblem query={query} what="vGPU support" />
      <StaleBanner />
      {isPending && error === null ? <SkeletonRows rows={8} label="Loading vGPU support" /> : null}
      {data === undefined ? null : (
        <>
          <p className="mx-0.5 mb-2 text-ink2 text-small">
            The release is that of nova-api. A host whose agent reports an older nova-compute is listed below
            the action.
          </p>
          <List actions={data.actions} />
        </>
      )}
    </>
  )
}
