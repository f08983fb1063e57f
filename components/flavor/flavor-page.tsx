'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useQueryStates } from 'nuqs'
import { useState } from 'react'
import { SmallHistory } from '@/components/capacity/small-history'
import { RefusedPanel } from '@/components/demand/refused-panel'
import { TrackedList } from '@/components/finding/tracked-list'
import { FitBody } from '@/components/fit/fit-body'
import { FitPending } from '@/components/fit/fit-pending'
import { fitSearchParams } from '@/components/fit/fit-search-params'
import { QueryPanel } from '@/components/fit/query-panel'
import { useHostQuestion } from '@/components/fit/use-host-question'
import { PageHeader } from '@/components/shell/page-header'
import { SubjectProblem } from '@/components/shell/subject-problem'
import { useCloud } from '@/components/shell/use-cloud'
import { Button } from '@/components/ui/button'
import { CopyableId } from '@/components/ui/copyable'
import { Select } from '@/components/ui/input'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { Tag } from '@/components/ui/tag'
import { isNotFound } from '@/lib/api/client'
import { flavorFitOptions } from '@/lib/api/flavors'
import type { FlavorFit } from '@/lib/schemas/api/flavor'
import { formatMib, formatNoun } from '@/lib/util/format'
import { flavorsPath, hostPath, typePath } from '@/lib/util/paths'
import { accessText } from './access-labels'
import { BuildLink } from './build-link'

type Servers = NonNullable<FlavorFit['servers']>

const FEW = 10

const ServerItem = ({ server, cloud }: { server: Servers[number]; cloud: string | null }) => (
  <li className="wrap-anywhere">
    <b className="font-semibold">{server.name}</b>{' '}
    <span className="text-ink2">
      of {server.projectName}, {server.status.toLowerCase()}
      {server.host === null ? null : (
        <>
          {' '}
          on{' '}
          <Link
            href={hostPath({ cloud, host: server.host })}
            prefetch={false}
            className="whitespace-nowrap text-accent-ink underline"
          >
            {server.host}
          </Link>
        </>
      )}
    </span>{' '}
    {server.isCopyCurrent ? null : <Tag tone="warn">previous settings</Tag>}
  </li>
)

/** Servers that were made from a flavor; each has a copy of what it was then. */
const FlavorServersPanel = ({ servers, cloud }: { servers: FlavorFit['servers']; cloud: string | null }) => {
  const [isAll, setIsAll] = useState(false)
  if (servers === null)
    return (
      <Panel title="Servers">
        <p className="text-ink2">Unknown: Nova’s servers have not been read.</p>
      </Panel>
    )
  const old = servers.filter(({ isCopyCurrent }) => !isCopyCurrent).length
  return (
    <Panel title="Servers" note={`${formatNoun(servers.length, 'server')} with this flavor`}>
      {old === 0 ? null : (
        <p className="mb-1.5 text-ink2">
          {formatNoun(old, 'server has', 'servers have')} previous settings of the flavor. Changes apply only
          to new or resized servers.
        </p>
      )}
      <ul className="flex flex-col gap-0.5">
        {servers.slice(0, isAll ? servers.length : FEW).map((server) => (
          <ServerItem key={server.uuid} server={server} cloud={cloud} />
        ))}
      </ul>
      {isAll || servers.length <= FEW ? null : (
        <Button size="small" className="mt-1.5" onClick={() => setIsAll(true)}>
          Show all {servers.length}
        </Button>
      )}
      {servers.length === 0 ? (
        <p className="text-ink3">No server on a host with GPUs uses this flavor.</p>
      ) : null}
    </Panel>
  )
}

const Types = ({ types, cloud }: { types: FlavorFit['types']; cloud: string | null }) =>
  types.length === 0 ? (
    <span className="text-ink3">none reported by an agent</span>
  ) : (
    <ul>
      {types.map(({ typeId, name }) => (
        <li key={typeId}>
          <Link
            href={typePath({ cloud, type: typeId })}
            prefetch={false}
            className="text-accent-ink underline"
          >
            {name}
          </Link>{' '}
          <span className="font-mono text-ink3 text-small">{typeId}</span>
        </li>
      ))}
    </ul>
  )

/** The literal extra specs of the flavor. */
const FlavorSpecsPanel = ({ data, cloud }: { data: FlavorFit; cloud: string | null }) => {
  const { flavor, types } = data
  return (
    <Panel title="Requested resources">
      <KeyValues>
        <KeyValue label="vGPU types">
          <Types types={types} cloud={cloud} />
        </KeyValue>
        <KeyValue label="vCPUs">{flavor.vcpus}</KeyValue>
        <KeyValue label="Memory">{formatMib(flavor.memoryMib)}</KeyValue>
        <KeyValue label="Disk">{flavor.diskGib} GiB</KeyValue>
        <KeyValue label="Access">
          {accessText({ isPublic: flavor.isPublic, projects: data.projects })}
          {data.projects === null || data.projects.length < 3 ? null : (
            <p className="text-ink2 text-small">{data.projects.map(({ name }) => name).join(', ')}</p>
          )}
        </KeyValue>
        <KeyValue label="Id">
          <CopyableId id={flavor.id} label="flavor’s id" />
        </KeyValue>
        {flavor.description === null ? null : <KeyValue label="Description">{flavor.description}</KeyValue>}
      </KeyValues>
      <h3 className="mt-2.5 mb-1 font-[550] text-small">Extra specs</h3>
      {flavor.extraSpecs.length === 0 ? (
        <p className="text-ink3">none</p>
      ) : (
        <ul>
          {flavor.extraSpecs.map(({ key, value }) => (
            <li key={key} className="break-words font-mono text-small [overflow-wrap:anywhere]">
              {key}={value}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** A server may ask for one availability zone; where there is one only, there is nothing to choose. */
const ZoneSelect = ({ zones }: { zones: readonly string[] }) => {
  const [{ zone }, setParams] = useQueryStates(fitSearchParams)
  if (zones.length < 2) return null
  return (
    <div className="mt-2.5 flex items-center gap-2">
      <label htmlFor="fit-zone" className="whitespace-nowrap text-small">
        Availability zone
      </label>
      <Select
        id="fit-zone"
        value={zone ?? ''}
        onChange={(event) => void setParams({ zone: event.target.value === '' ? null : event.target.value })}
      >
        <option value="">any</option>
        {zones.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Select>
    </div>
  )
}

const Side = ({ data, cloud }: { data: FlavorFit; cloud: string | null }) => (
  <>
    {data.findings.length === 0 ? null : (
      <Panel title="Findings">
        <TrackedList findings={data.findings} cloud={cloud} />
      </Panel>
    )}
    <FlavorSpecsPanel data={data} cloud={cloud} />
    <FlavorServersPanel servers={data.servers} cloud={cloud} />
    <SmallHistory cloud={cloud} of={{ by: 'flavor', key: data.flavor.name }} />
    <RefusedPanel cloud={cloud} of={{ by: 'flavor', key: data.flavor.name }} />
    <QueryPanel fit={data.fit}>
      <ZoneSelect zones={data.zones} />
    </QueryPanel>
  </>
)

/** Why a flavor lands where it does, and how many more fit. */
export const FlavorPage = ({ id }: { id: string }) => {
  const { cloud } = useCloud()
  const [{ zone }] = useQueryStates(fitSearchParams)
  const query = useInfiniteQuery(flavorFitOptions({ cloud, flavor: id, zone, ...useHostQuestion() }))
  const { error, isPending } = query
  const [data, ...more] = query.data?.pages ?? []
  const isMissing = isNotFound(error)
  return (
    <>
      <PageHeader
        title={data?.flavor.name ?? 'Flavor'}
        sub={
          data === undefined ? undefined : (
            <>
              {data.asks} {data.flavor.isDisabled ? <Tag tone="warn">disabled</Tag> : null}
            </>
          )
        }
        actions={data === undefined ? undefined : <BuildLink cloud={cloud} flavors={[data.flavor.id]} />}
      />
      {isPending ? <FitPending label="Loading the flavor" /> : null}
      <SubjectProblem
        query={query}
        subject="flavor"
        all={{ href: flavorsPath({ cloud }), label: 'All flavors' }}
        what="The flavor"
      />
      {data === undefined || isMissing ? null : (
        <FitBody
          pages={[data.fit, ...more.map(({ fit }) => fit)]}
          unit="server"
          cloud={cloud}
          side={<Side data={data} cloud={cloud} />}
          onMore={query.hasNextPage ? () => void query.fetchNextPage() : null}
        />
      )}
    </>
  )
}
