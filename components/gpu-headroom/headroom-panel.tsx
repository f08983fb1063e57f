'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { PlanLink } from '@/components/change/plan-link'
import { Moment } from '@/components/shell/moment'
import { silentRefusal } from '@/components/shell/old-report'
import { SilentTag } from '@/components/shell/silent-tag'
import { TimedText } from '@/components/shell/timed-text'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { gpuHeadroomOptions } from '@/lib/api/gpu-headroom'
import type { GpuHeadroomDto } from '@/lib/schemas/api/gpu-headroom'
import { formatMib } from '@/lib/util/format'
import { gpuHeadroomPath, newReservationPath } from '@/lib/util/paths'
import { amountText, HEADROOM_STATE_TAGS, needsText, PLAIN_LABELS, plainList } from './headroom-labels'

/** The compute node's resource classes in Placement. */
const HeadroomLines = ({ lines }: Pick<GpuHeadroomDto, 'lines'>) => (
  <Table>
    <thead>
      <tr>
        <Th>Class</Th>
        <Th isNumber>Free</Th>
        <Th isNumber>Used</Th>
        <Th isNumber>Capacity</Th>
      </tr>
    </thead>
    <tbody>
      {lines.map(({ name, free, used, capacity }) => (
        <Tr key={name}>
          <Td>{PLAIN_LABELS[name]}</Td>
          <Td isNumber>{amountText(name, free)}</Td>
          <Td isNumber>{amountText(name, used)}</Td>
          <Td isNumber>{amountText(name, capacity)}</Td>
        </Tr>
      ))}
    </tbody>
  </Table>
)

const MAX_FLAVORS = 6

const Flavors = ({ flavors }: Pick<GpuHeadroomDto, 'flavors'>) =>
  flavors.length === 0 ? null : (
    <SideScroll className="mt-2">
      <Table>
        <thead>
          <tr>
            <Th>GPU flavor</Th>
            <Th>Needs</Th>
            <Th isNumber>By GPUs</Th>
            <Th isNumber>By headroom</Th>
          </tr>
        </thead>
        <tbody>
          {flavors
            .slice(0, MAX_FLAVORS)
            .map(({ id, name, needs, byGpus, byHeadroom, short, isNodeShort, shutOut }) => (
              <Tr key={id}>
                <Td className="min-w-28 font-[550] wrap-anywhere">{name}</Td>
                <Td className="text-ink2">
                  {needsText(needs)}
                  {short.length === 0 ? null : (
                    <span className="block text-small text-warn">not enough {plainList(short)}</span>
                  )}
                  {shutOut === null ? null : (
                    <span className="block text-small text-warn">cannot be scheduled here: {shutOut}</span>
                  )}
                  {isNodeShort ? (
                    <span className="block text-small text-warn">limited by single NUMA nodes</span>
                  ) : null}
                </Td>
                <Td isNumber>{byGpus}</Td>
                <Td isNumber>{byHeadroom > 9999 ? '–' : byHeadroom}</Td>
              </Tr>
            ))}
        </tbody>
      </Table>
      {flavors.length > MAX_FLAVORS ? (
        <p className="text-ink3 text-small">and {flavors.length - MAX_FLAVORS} more</p>
      ) : null}
    </SideScroll>
  )

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const freeOf = (free: number | null, all: number | null, text: (value: number) => string): string =>
  all === null ? '–' : free === null ? text(all) : `${text(free)} of ${text(all)}`

const Nodes = ({ nodes, nodeGap }: Pick<GpuHeadroomDto, 'nodes' | 'nodeGap'>) =>
  nodes === null || nodes.length < 2 ? null : (
    <SideScroll className="mt-2">
      <Table>
        <thead>
          <tr>
            <Th>NUMA node</Th>
            <Th>CPUs</Th>
            <Th isNumber>Shared</Th>
            <Th isNumber>Dedicated free</Th>
            <Th isNumber>Memory free</Th>
            <Th isNumber>GPUs free</Th>
          </tr>
        </thead>
        <tbody>
          {nodes.map(
            ({ id, cpus, shared, dedicated, dedicatedFree, memoryMib, memoryFreeMib, gpus, freeGpus }) => (
              <Tr key={id}>
                <Td>{id}</Td>
                <Td className="min-w-28 font-mono text-small wrap-anywhere">{cpus}</Td>
                <Td isNumber>{shared ?? '–'}</Td>
                <Td isNumber className="whitespace-nowrap">
                  {freeOf(dedicatedFree, dedicated, String)}
                </Td>
                <Td isNumber className="whitespace-nowrap">
                  {freeOf(memoryFreeMib, memoryMib, formatMib)}
                </Td>
                <Td isNumber className="whitespace-nowrap">
                  {gpus === 0 ? '–' : `${freeGpus ?? '–'} of ${gpus}`}
                </Td>
              </Tr>
            ),
          )}
        </tbody>
      </Table>
      <p className="mt-1 px-3.5 text-ink3 text-small">
        {nodeGap === null
          ? 'Free for servers bound to a NUMA node (pinned CPUs, hw:numa_nodes). Other servers are not bound.'
          : `Free capacity per NUMA node is unknown: ${nodeGap}.`}
      </p>
    </SideScroll>
  )

const Headroom = ({
  headroom,
  cloud,
  because,
}: {
  headroom: GpuHeadroomDto
  cloud: string | null
  /** Why no reservation can be planned; null: one can. */
  because: string | null
}) => {
  const { word, tone } = HEADROOM_STATE_TAGS[headroom.state]
  return (
    <>
      <p className="mb-2 wrap-anywhere">
        <Tag tone={tone}>{word}</Tag> <TimedText text={capitalized(headroom.because)} />
        {headroom.since === null ? '.' : null}
        {headroom.since === null ? null : (
          <>
            , since <Moment at={headroom.since} />.
          </>
        )}
      </p>
      {headroom.lines.length === 0 ? null : (
        <SideScroll>
          <HeadroomLines lines={headroom.lines} />
        </SideScroll>
      )}
      <Flavors flavors={headroom.flavors} />
      <Nodes nodes={headroom.nodes} nodeGap={headroom.nodeGap} />
      <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <PlanLink href={newReservationPath({ cloud, host: headroom.host })} size="small" because={because}>
          Reserve capacity for GPU servers
        </PlanLink>
        <Link
          href={gpuHeadroomPath({ cloud, search: { on: `host:${headroom.host}` } })}
          prefetch={false}
          className="text-accent-ink underline"
        >
          Calculate reservation
        </Link>
      </p>
    </>
  )
}

/** The headroom for a host's free GPUs, and how to reserve it. */
export const HeadroomPanel = ({
  host,
  cloud,
  silentSince,
}: {
  host: string
  cloud: string | null
  /** When a silent host last reported; undefined: it is not silent. */
  silentSince: string | null | undefined
}) => {
  const { data, isError } = useQuery(gpuHeadroomOptions({ cloud, host }))
  const [headroom] = data?.hosts ?? []
  if (data !== undefined && headroom === undefined) return null
  return (
    <Panel
      title="Headroom for GPU servers"
      note="CPU, memory and disk in Placement"
      actions={silentSince === undefined ? undefined : <SilentTag seenAt={silentSince} />}
    >
      {headroom === undefined ? (
        <p className="text-ink2">{isError ? 'The headroom could not be loaded.' : 'Loading.'}</p>
      ) : (
        <Headroom
          headroom={headroom}
          cloud={cloud}
          because={silentRefusal({ host, isSilent: silentSince !== undefined })}
        />
      )}
    </Panel>
  )
}
