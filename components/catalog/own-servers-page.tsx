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

const formatGpus = (gpus: NonNullable<OwnServerDto['gpus']>): string =>
  gpus
    .map(({ model, typeName, count }) => {
      const what = typeName === null ? `whole ${model}` : `${typeName} on ${model}`
      return count === 1 ? what : `${count} × ${what}`
    })
    .join(', ')

/** What a server is, a cell each; on a narrow page they stand below its name. */
const factsOf = ({ gpus, flavorName, createdAt, guestDriver, license }: OwnServerDto) => ({
  gpu: gpus === null ? <Unknown reason="the GPU of the server could not be read" /> : formatGpus(gpus),
  flavor: flavorName === null ? <Unknown reason="not reported by Nova" /> : <code>{flavorName}</code>,
  since: createdAt === null ? <Unknown reason="not reported by Nova" /> : <Moment at={createdAt} />,
  driver: guestDriver ?? <Unknown reason="not reported by the host" />,
  license: license ?? <Unknown reason="not reported by the host" />,
})

const ServerRow = ({ server }: { server: OwnServerDto }) => {
  const { gpu, flavor, since, driver, license } = factsOf(server)
  const id = <CopyableId id={server.uuid} label={`uuid of ${server.name}`} />
  return (
    <Tr className="max-md:align-top">
      <th
        scope="row"
        className="border-line2 border-b px-2.5 py-1.5 text-left font-semibold md:whitespace-nowrap"
      >
        <span className="wrap-anywhere">{server.name}</span>
        <dl className="m-0 mt-0.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5 font-normal text-small md:hidden [&>dd]:m-0 [&>dt]:text-ink2">
          <dt>GPU</dt>
          <dd>{gpu}</dd>
          <dt>Flavor</dt>
          <dd className="wrap-anywhere">{flavor}</dd>
          <dt>Created</dt>
          <dd>{since}</dd>
          <dt>Driver</dt>
          <dd>{driver}</dd>
          <dt>License</dt>
          <dd>{license}</dd>
          <dt>UUID</dt>
          <dd>{id}</dd>
        </dl>
      </th>
      <Td className="max-md:text-right">
        <Tag tone={server.status === 'ERROR' ? 'bad' : 'quiet'}>{server.status}</Tag>
      </Td>
      <Td className="whitespace-nowrap max-md:hidden">{gpu}</Td>
      <Td className="whitespace-nowrap max-md:hidden">{flavor}</Td>
      <Td className="max-md:hidden">{since}</Td>
      <Td className="whitespace-nowrap max-md:hidden">{driver}</Td>
      <Td className="max-md:hidden">{license}</Td>
      <Td className="max-md:hidden">{id}</Td>
    </Tr>
  )
}

const Body = ({ data }: { data: OwnServerList }) => {
  if (!data.isRead)
    return (
      <EmptyState title="The servers have not been read yet">
        The console has just started, or the cloud does not respond. This page refreshes automatically.
      </EmptyState>
    )
  if (data.servers.length === 0)
    return (
      <EmptyState
        title="No servers with a GPU"
        action={
          <Link href={catalogPath()} className={buttonStyle({ variant: 'main' })}>
            Open catalog
          </Link>
        }
      >
        A server with a GPU flavor is listed here within a minute after its creation.
      </EmptyState>
    )
  return (
    <TablePanel tabIndex={0}>
      <Table>
        <caption className="sr-only">Servers of your project with a GPU</caption>
        <thead>
          <tr>
            <Th>Server</Th>
            <Th className="max-md:text-right">Status</Th>
            <Th className="max-md:hidden">GPU</Th>
            <Th className="max-md:hidden">Flavor</Th>
            <Th className="max-md:hidden">Created</Th>
            <Th className="max-md:hidden">Driver</Th>
            <Th className="max-md:hidden">License</Th>
            <Th className="max-md:hidden">UUID</Th>
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

const Stale = () => (
  <p className="mb-3 text-ink2">
    <strong className="font-semibold text-warn">This list may be outdated:</strong> the cloud has not
    responded for a while. The last known servers are shown. Try again in a few minutes.
  </p>
)

/** Servers of the own project that have a GPU. */
export const OwnServersPage = () => {
  const query = useQuery(ownServersOptions())
  const { data, error, isPending } = query
  return (
    <>
      <PageTitle
        title={data === undefined ? 'Servers' : `Servers of ${data.project}`}
        {...(data?.isRead === true ? { sub: `${formatNoun(data.servers.length, 'server')} with a GPU` } : {})}
      />
      <LoadProblem query={query} what="The servers" />
      {isPending && error === null ? <SkeletonRows rows={6} label="Loading the servers" /> : null}
      {data?.isStale === true ? <Stale /> : null}
      {data === undefined ? null : <Body data={data} />}
    </>
  )
}
