'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { LoadProblem } from '@/components/shell/load-problem'
import { Moment } from '@/components/shell/moment'
import { PageTitle } from '@/components/shell/page-title'
import { buttonStyle } from '@/components/ui/button'
import { CopyableId } from '@/components/ui/copyable'
import { Unknown } from '@/components/ui/key-values'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { Table, TablePanel, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { ownServersOptions } from '@/lib/api/catalog'
import type { OwnServerDto, OwnServerList } from '@/lib/schemas/api/catalog'
import { formatNoun } from '@/lib/util/format'
import { catalogPath } from '@/lib/util/paths'

const gpuWords = (gpus: NonNullable<OwnServerDto['gpus']>): string =>
  gpus
    .map(({ model, typeName, count }) => {
      const what = typeName === null ? `whole ${model}` : `${typeName} on ${model}`
      return count === 1 ? what : `${count} × ${what}`
    })
    .join(', ')

const ServerRow = ({ server }: { server: OwnServerDto }) => (
  <Tr>
    <th scope="row" className="border-line2 border-b px-2.5 py-1.5 text-left font-semibold whitespace-nowrap">
      {server.name}
    </th>
    <Td>
      <Tag tone={server.status === 'ERROR' ? 'bad' : 'quiet'}>{server.status}</Tag>
    </Td>
    <Td className="whitespace-nowrap">
      {server.gpus === null ? (
        <Unknown reason="nobody tells now which GPU the server holds" />
      ) : (
        gpuWords(server.gpus)
      )}
    </Td>
    <Td className="whitespace-nowrap">
      {server.flavorName === null ? (
        <Unknown reason="Nova does not name its flavor" />
      ) : (
        <code>{server.flavorName}</code>
      )}
    </Td>
    <Td>
      {server.createdAt === null ? (
        <Unknown reason="Nova does not say when it was made" />
      ) : (
        <Moment at={server.createdAt} />
      )}
    </Td>
    <Td className="whitespace-nowrap">
      {server.guestDriver ?? <Unknown reason="the host does not report it" />}
    </Td>
    <Td>{server.licence ?? <Unknown reason="the host does not report it" />}</Td>
    <Td>
      <CopyableId id={server.uuid} label={`uuid of ${server.name}`} />
    </Td>
  </Tr>
)

const Body = ({ data }: { data: OwnServerList }) => {
  if (!data.isRead)
    return (
      <EmptyState title="The list is being put together">
        The console has only just started, or the cloud does not answer. This page fills by itself.
      </EmptyState>
    )
  if (data.servers.length === 0)
    return (
      <EmptyState
        title="Your project has no server with a GPU"
        action={
          <Link href={catalogPath()} className={buttonStyle({ variant: 'main' })}>
            See the catalogue
          </Link>
        }
      >
        A server appears here within a minute after it was started from a flavor of the catalogue.
      </EmptyState>
    )
  return (
    <TablePanel tabIndex={0}>
      <Table>
        <caption className="sr-only">Servers of your project with a GPU</caption>
        <thead>
          <tr>
            <Th>Server</Th>
            <Th>Status</Th>
            <Th>GPU</Th>
            <Th>Flavor</Th>
            <Th>Since</Th>
            <Th>Driver</Th>
            <Th>Its licence</Th>
            <Th>uuid</Th>
          </tr>
        </thead>
        <tbody>
          {data.servers.map((server) => (
            <ServerRow key={server.uuid} server={server} />
          ))}
        </tbody>
      </Table>
    </TablePanel>
  )
}

/** Servers of the own project that have a GPU. */
export const OwnServersPage = () => {
  const query = useQuery(ownServersOptions())
  const { data, error, isPending } = query
  return (
    <>
      <PageTitle
        title={data === undefined ? 'My servers' : `Servers of ${data.project}`}
        {...(data?.isRead === true ? { sub: `${formatNoun(data.servers.length, 'server')} with a GPU` } : {})}
      />
      <LoadProblem query={query} what="The servers" />
      {isPending && error === null ? <SkeletonRows rows={6} label="Loading the servers" /> : null}
      {data === undefined ? null : <Body data={data} />}
    </>
  )
}
