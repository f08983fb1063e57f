'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { LoadProblem } from '@/components/shell/load-problem'
import { Moment } from '@/components/shell/moment'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { useRefusal } from '@/components/shell/use-refusal'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { Table, TablePanel, Td, Th, Tr } from '@/components/ui/table'
import { toast } from '@/components/ui/toast-store'
import { removedHostsOptions, restoreHostOptions } from '@/lib/api/host-removal'
import type { RemovedHost } from '@/lib/schemas/api/host-removal'
import { formatNoun } from '@/lib/util/format'
import { HostsNav } from './hosts-nav'
import { ReasonDialog } from './reason-dialog'

const Restore = ({ host: { id, name, mergedInto, restoreRefusal } }: { host: RemovedHost }) => {
  const restore = useMutation(restoreHostOptions())
  const refusal = useRefusal('host.remove')
  const confirm = async (reason: string) => {
    await restore.mutateAsync({ id, reason })
    toast.done(`${name} is restored.`)
  }
  return (
    <ReasonDialog
      label="Restore"
      accessibleLabel={`Restore ${name}`}
      size="small"
      tone="main"
      title={`Restore ${name}?`}
      confirmLabel="Restore host"
      refusal={refusal ?? restoreRefusal}
      onConfirm={confirm}
    >
      <ul className="list-disc space-y-1 pl-4">
        <li>{name} appears again in lists and totals, as it was last seen.</li>
        <li>The time between removal and restore stays without data.</li>
        {mergedInto === null ? null : <li>{mergedInto} no longer continues its history.</li>}
        <li>The credential stays revoked. Enroll the host again with a new join token.</li>
      </ul>
    </ReasonDialog>
  )
}

const RemovedRow = ({ host }: { host: RemovedHost }) => (
  <Tr>
    <Td className="whitespace-nowrap">{host.name}</Td>
    <Td className="whitespace-nowrap">
      <Moment at={host.removedAt} />
    </Td>
    <Td>{host.removedBy.replace(/^user:/, '')}</Td>
    <Td className="min-w-48 break-words">{host.reason}</Td>
    <Td className="whitespace-nowrap">
      <Moment at={host.lastSeenAt} />
    </Td>
    <Td isNumber>{host.gpuCount}</Td>
    <Td className="whitespace-nowrap">{host.mergedInto ?? <span className="text-ink3">no</span>}</Td>
    <Td className="text-right">
      <Restore host={host} />
    </Td>
  </Tr>
)

const RemovedTable = ({ hosts }: { hosts: readonly RemovedHost[] }) => (
  <TablePanel>
    <Table>
      <thead>
        <tr>
          <Th>Host</Th>
          <Th>Removed</Th>
          <Th>By</Th>
          <Th>Reason</Th>
          <Th>Last seen</Th>
          <Th isNumber>GPUs</Th>
          <Th>Merged into</Th>
          <Th>
            <span className="sr-only">Action</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {hosts.map((host) => (
          <RemovedRow key={host.id} host={host} />
        ))}
      </tbody>
    </Table>
  </TablePanel>
)

/** Hosts that were removed: when, by whom and why. */
export const RemovedHostsPage = () => {
  const { cloud } = useCloud()
  const query = useQuery(removedHostsOptions({ cloud }))
  const { data, error, isPending } = query
  return (
    <>
      <PageHeader
        title="Removed hosts"
        sub={data === undefined ? undefined : formatNoun(data.hosts.length, 'host')}
      />
      <HostsNav />
      <LoadProblem query={query} what="The removed hosts" />
      {isPending && error === null ? <SkeletonRows rows={6} label="Loading the removed hosts" /> : null}
      {data === undefined ? null : data.hosts.length === 0 ? (
        <EmptyState title="No host was removed">
          Remove a host that no longer exists on the page of the host. Its history stays.
        </EmptyState>
      ) : (
        <RemovedTable hosts={data.hosts} />
      )}
    </>
  )
}
