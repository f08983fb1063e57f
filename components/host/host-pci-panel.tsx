'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { QueryProblem } from '@/components/shell/load-problem'
import { CommandLine } from '@/components/ui/command-line'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { hostPciOptions } from '@/lib/api/hosts'
import type { HostPci, HostPciReport } from '@/lib/schemas/api/host-pci'
import { cloudSettingsPath, gpuPath } from '@/lib/util/paths'

type Alias = HostPciReport['aliases'][number]

const API_LABELS: Record<Alias['onApi'], { text: string; tone: 'quiet' | 'bad' | 'warn' }> = {
  same: { text: 'the same', tone: 'quiet' },
  differs: { text: 'another device', tone: 'warn' },
  absent: { text: 'missing', tone: 'bad' },
  unknown: { text: 'unknown', tone: 'quiet' },
}

const Source = ({ children }: { children: string }) => (
  <Td className="min-w-48 break-all align-top font-mono text-ink2 text-small">{children}</Td>
)

type HostScope = { host: string; cloud: string | null }

const Gpus = ({ addresses, none, host, cloud }: HostScope & { addresses: string[]; none: string }) =>
  addresses.length === 0 ? (
    <span className="text-ink2">{none}</span>
  ) : (
    <span className="flex flex-wrap gap-x-2">
      {addresses.map((address) => (
        <Link
          key={address}
          href={gpuPath({ cloud, host, address })}
          prefetch={false}
          className="whitespace-nowrap font-mono text-accent-ink text-small underline"
        >
          {address}
        </Link>
      ))}
    </span>
  )

const Head = ({ children }: { children: ReactNode }) => (
  <h3 className="mt-3 mb-1 font-semibold text-small first:mt-0">{children}</h3>
)

const Specs = ({ pci, ...scope }: HostScope & { pci: HostPciReport }) => (
  <>
    <Head>Devices that Nova assigns (device_spec)</Head>
    {pci.specs.length === 0 ? (
      <p className="text-ink2">None. [pci] device_spec is not set.</p>
    ) : (
      <SideScroll>
        <Table>
          <thead>
            <tr>
              <Th>Entry</Th>
              <Th>Matching pGPUs</Th>
              <Th>Set in</Th>
            </tr>
          </thead>
          <tbody>
            {pci.specs.map(({ text, source, pgpus }) => (
              <Tr key={`${source} ${text}`}>
                <Td className="min-w-40 break-words align-top font-mono text-small">{text}</Td>
                <Td className="align-top">
                  <Gpus addresses={pgpus} none="none of this host" {...scope} />
                </Td>
                <Source>{source}</Source>
              </Tr>
            ))}
          </tbody>
        </Table>
      </SideScroll>
    )}
  </>
)

const AliasRow = ({ alias, ...scope }: HostScope & { alias: Alias }) => {
  const { text, tone } = API_LABELS[alias.onApi]
  return (
    <Tr>
      <Td className="whitespace-nowrap align-top font-mono text-small">{alias.name}</Td>
      <Td className="min-w-32 align-top font-mono text-small">{alias.means}</Td>
      <Td className="align-top">
        <Gpus addresses={alias.takes} none="none of this host" {...scope} />
      </Td>
      <Td className="whitespace-nowrap align-top">
        <Tag tone={tone}>{text}</Tag>
      </Td>
      <Source>{alias.source}</Source>
    </Tr>
  )
}

const Aliases = ({ pci, ...scope }: HostScope & { pci: HostPciReport }) => (
  <>
    <Head>Aliases that flavors use (alias)</Head>
    {pci.aliases.length === 0 ? (
      <p className="text-ink2">None. [pci] alias is not set.</p>
    ) : (
      <SideScroll>
        <Table>
          <thead>
            <tr>
              <Th>Alias</Th>
              <Th>Device</Th>
              <Th>Matching pGPUs</Th>
              <Th>On nova-api hosts</Th>
              <Th>Set in</Th>
            </tr>
          </thead>
          <tbody>
            {pci.aliases.map((alias) => (
              <AliasRow key={`${alias.source} ${alias.name} ${alias.means}`} alias={alias} {...scope} />
            ))}
          </tbody>
        </Table>
      </SideScroll>
    )}
    {pci.withoutAlias.length === 0 ? null : (
      <p className="mt-1">
        No alias of this host matches <Gpus addresses={pci.withoutAlias} none="" {...scope} />
      </p>
    )}
  </>
)

const OfApi = ({ api, cloud }: Pick<HostPci, 'api'> & { cloud: string | null }) => (
  <>
    <Head>nova-api hosts</Head>
    {api.hosts.length === 0 ? null : (
      <SideScroll>
        <Table>
          <thead>
            <tr>
              <Th>Host</Th>
              <Th>Alias</Th>
              <Th>Device</Th>
              <Th>Set in</Th>
            </tr>
          </thead>
          <tbody>
            {api.hosts.flatMap(({ host, isSelf, aliases }) =>
              (aliases.length === 0 ? [null] : aliases).map((alias) => (
                <Tr key={`${host} ${alias?.source ?? ''} ${alias?.name ?? ''} ${alias?.means ?? ''}`}>
                  <Td className="whitespace-nowrap align-top">{isSelf ? `${host} (this host)` : host}</Td>
                  <Td className="whitespace-nowrap align-top font-mono text-small">
                    {alias?.name ?? <span className="font-sans text-ink2">none</span>}
                  </Td>
                  <Td className="min-w-32 align-top font-mono text-small">{alias?.means ?? ''}</Td>
                  <Source>{alias?.source ?? ''}</Source>
                </Tr>
              )),
            )}
          </tbody>
        </Table>
      </SideScroll>
    )}
    {api.because === null ? null : (
      <>
        <p className="mb-1">
          Unknown: {api.because}. To show the aliases, run this command on each controller. If nova-api runs
          in a container, run it on the nova.conf of the container:
        </p>
        <CommandLine command={api.check} />
        <p className="mt-1">
          <Link href={cloudSettingsPath({ cloud })} prefetch={false} className="text-accent-ink underline">
            Enter the aliases
          </Link>
        </p>
      </>
    )}
  </>
)

const Body = ({ data, cloud }: { data: HostPci; cloud: string | null }) => {
  const scope = { host: data.host, cloud }
  return (
    <>
      {data.pci === null ? (
        <p className="text-ink2">Unknown: nova.conf of this host could not be read completely.</p>
      ) : (
        <>
          <Specs pci={data.pci} {...scope} />
          <Aliases pci={data.pci} {...scope} />
        </>
      )}
      <OfApi api={data.api} cloud={cloud} />
    </>
  )
}

const isSet = ({ pci, api }: HostPci): boolean =>
  pci === null || pci.specs.length + pci.aliases.length > 0 || api.hosts.some(({ isSelf }) => isSelf)

/** device_spec and alias of the host, each with the line that set it, compared with the aliases of Nova's API. */
export const HostPciPanel = ({ host, cloud }: { host: string; cloud: string | null }) => {
  const query = useQuery(hostPciOptions({ cloud, host }))
  const { data } = query
  const note =
    data?.pci == null ? undefined : data.pci.isInPlacement ? 'reported in Placement' : 'not in Placement'
  return (
    <Panel title="PCI passthrough" note={data !== undefined && isSet(data) ? note : undefined}>
      <QueryProblem
        query={query}
        title="PCI passthrough could not be loaded"
        titleOfOld="PCI passthrough could not be refreshed"
      />
      {data === undefined ? (
        query.isPending ? (
          <p className="text-ink2">Loading.</p>
        ) : null
      ) : isSet(data) ? (
        <Body data={data} cloud={cloud} />
      ) : (
        <p className="text-ink2">Not configured. nova.conf contains neither device_spec nor alias.</p>
      )}
    </Panel>
  )
}
