'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useQueryStates } from 'nuqs'
import { StaleBanner } from '@/components/cloud/stale-banner'
import { HostsNav } from '@/components/host/hosts-nav'
import { LoadProblem } from '@/components/shell/load-problem'
import { Moment } from '@/components/shell/moment'
import { PageHeader } from '@/components/shell/page-header'
import { TimedText } from '@/components/shell/timed-text'
import { useCloud } from '@/components/shell/use-cloud'
import { Button, buttonStyle } from '@/components/ui/button'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { Table, TablePanel, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { FilterChip, FilterInput, Toolbar } from '@/components/ui/toolbar'
import { gpuRoomsOptions } from '@/lib/api/gpu-rooms'
import type { GpuRoomDto, GpuRooms } from '@/lib/schemas/api/gpu-room'
import { formatNoun } from '@/lib/util/format'
import { agentSettingsPath, hostPath } from '@/lib/util/paths'
import { KeepCalculator } from './keep-calculator'
import { gpuRoomParams } from './keep-params'
import { amountText, freeText, PLAIN_LABELS, PLAIN_NAMES, ROOM_STATE_TAGS, ROOM_STATES } from './room-words'

const Row = ({ room, cloud }: { room: GpuRoomDto; cloud: string | null }) => {
  const { word, tone } = ROOM_STATE_TAGS[room.state]
  const plain = PLAIN_NAMES.map((name) => {
    const line = room.lines.find((one) => one.name === name)
    return {
      name,
      label: PLAIN_LABELS[name],
      isKnown: line !== undefined,
      text: line === undefined ? '–' : amountText(name, line.free),
    }
  })
  return (
    <Tr>
      <Td className="whitespace-nowrap align-top">
        <Link
          href={hostPath({ cloud, host: room.host })}
          className="font-[550] text-accent-ink hover:underline"
        >
          {room.host}
        </Link>
      </Td>
      <Td className="align-top md:min-w-64">
        <Tag tone={tone}>{word}</Tag>
        <span className="mt-0.5 block text-ink2 text-small wrap-anywhere">
          <TimedText text={room.because} />
          {room.since === null ? null : (
            <>
              , since <Moment at={room.since} />
            </>
          )}
        </span>
        <span className="mt-0.5 block text-small md:hidden">
          free:{' '}
          {[
            freeText(room) ?? 'GPUs not known',
            ...plain.filter(({ isKnown }) => isKnown).map(({ label, text }) => `${label} ${text}`),
          ].join(', ')}
        </span>
      </Td>
      <Td isNumber className="whitespace-nowrap align-top max-md:hidden">
        {freeText(room) ?? '–'}
      </Td>
      {plain.map(({ name, text }) => (
        <Td key={name} isNumber className="whitespace-nowrap align-top max-md:hidden">
          {text}
        </Td>
      ))}
    </Tr>
  )
}

const byUrgency = (a: GpuRoomDto, b: GpuRoomDto): number =>
  ROOM_STATES.indexOf(a.state) - ROOM_STATES.indexOf(b.state) || (a.host < b.host ? -1 : 1)

const List = ({ data }: { data: GpuRooms }) => {
  const { cloud } = useCloud()
  const [{ q, state }, setParams] = useQueryStates(gpuRoomParams)
  const shown = data.rooms
    .filter((room) => room.host.includes(q.trim().toLowerCase()) && (state === null || room.state === state))
    .toSorted(byUrgency)
  return (
    <>
      <Toolbar>
        <FilterInput
          className="sm:w-[250px]"
          label="Filter by host"
          value={q}
          onChange={(text) => void setParams({ q: text })}
        />
        {ROOM_STATES.map((each) => {
          const count = data.rooms.filter((room) => room.state === each).length
          return count === 0 ? null : (
            <FilterChip
              key={each}
              isOn={state === each}
              word={ROOM_STATE_TAGS[each].word}
              count={count}
              onToggle={() => void setParams({ state: state === each ? null : each })}
            />
          )
        })}
      </Toolbar>
      {shown.length === 0 ? (
        <EmptyState
          title="No host matches the filter"
          action={<Button onClick={() => void setParams({ q: null, state: null })}>Clear the filter</Button>}
        >
          Another text or state may find it.
        </EmptyState>
      ) : (
        <TablePanel>
          <Table aria-label="Room on each GPU host">
            <thead>
              <tr>
                <Th>Host</Th>
                <Th>Room</Th>
                <Th isNumber className="max-md:hidden">
                  GPUs free
                </Th>
                {PLAIN_NAMES.map((name) => (
                  <Th key={name} isNumber className="max-md:hidden">
                    {PLAIN_LABELS[name]} free
                  </Th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((room) => (
                <Row key={room.host} room={room} cloud={cloud} />
              ))}
            </tbody>
          </Table>
        </TablePanel>
      )}
    </>
  )
}

/** Free GPUs against the CPU, memory and disk left for them, host by host, and what must be kept. */
export const GpuRoomPage = () => {
  const { cloud } = useCloud()
  const query = useQuery(gpuRoomsOptions({ cloud }))
  const { data, error, isPending } = query
  const starved = data?.rooms.filter(({ state }) => state === 'starved' || state === 'partly').length ?? 0
  return (
    <>
      <PageHeader
        title="Headroom for GPUs"
        sub={
          data === undefined
            ? undefined
            : starved === 0
              ? `${formatNoun(data.rooms.length, 'GPU host')}, none starved`
              : `${starved} of ${formatNoun(data.rooms.length, 'GPU host')} with GPUs out of reach`
        }
      />
      <HostsNav />
      <LoadProblem query={query} what="The room" />
      <StaleBanner />
      {isPending && error === null ? <SkeletonRows rows={10} label="Room on its way" /> : null}
      {data === undefined ? null : data.rooms.length === 0 ? (
        <EmptyState
          title="No host with a GPU reports yet"
          action={
            <Link href={agentSettingsPath({ cloud })} className={buttonStyle({ variant: 'main' })}>
              Add a host
            </Link>
          }
        >
          A host appears here when its agent reports a card that is sliced or handed out whole.
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-3">
          <div>
            <List data={data} />
          </div>
          <KeepCalculator data={data} />
        </div>
      )}
    </>
  )
}
