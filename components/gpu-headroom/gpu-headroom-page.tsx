'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useQueryStates } from 'nuqs'
import { StaleBanner } from '@/components/cloud/stale-banner'
import { SETTLED_MS, useSettled } from '@/components/gpus/use-settled'
import { HostsNav } from '@/components/host/hosts-nav'
import { LoadProblem } from '@/components/shell/load-problem'
import { Moment } from '@/components/shell/moment'
import { PageHeader } from '@/components/shell/page-header'
import { TimedText } from '@/components/shell/timed-text'
import { useCloud } from '@/components/shell/use-cloud'
import { Button, buttonStyle } from '@/components/ui/button'
import { MoreRows } from '@/components/ui/more-rows'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { Table, TablePanel, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { FilterChip, FilterInput, Toolbar } from '@/components/ui/toolbar'
import { gpuHeadroomPages } from '@/lib/api/gpu-headroom'
import type { GpuHeadroomDto, GpuHeadroomList, HeadroomStateDto } from '@/lib/schemas/api/gpu-headroom'
import { HEADROOM_STATES } from '@/lib/schemas/choices'
import { formatCount, formatNoun } from '@/lib/util/format'
import { agentSettingsPath, hostPath } from '@/lib/util/paths'
import { amountText, freeText, HEADROOM_STATE_TAGS, PLAIN_LABELS, PLAIN_NAMES } from './headroom-labels'
import { KeepCalculator } from './keep-calculator'
import { gpuHeadroomParams } from './keep-params'

const Row = ({ headroom, cloud }: { headroom: GpuHeadroomDto; cloud: string | null }) => {
  const { word, tone } = HEADROOM_STATE_TAGS[headroom.state]
  const plain = PLAIN_NAMES.map((name) => {
    const line = headroom.lines.find((one) => one.name === name)
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
          href={hostPath({ cloud, host: headroom.host })}
          className="font-[550] text-accent-ink hover:underline"
        >
          {headroom.host}
        </Link>
      </Td>
      <Td className="align-top md:min-w-64">
        <Tag tone={tone}>{word}</Tag>
        <span className="mt-0.5 block text-ink2 text-small wrap-anywhere">
          <TimedText text={headroom.because} />
          {headroom.since === null ? null : (
            <>
              , since <Moment at={headroom.since} />
            </>
          )}
        </span>
        <span className="mt-0.5 block text-small md:hidden">
          free:{' '}
          {[
            freeText(headroom) ?? 'GPUs unknown',
            ...plain.filter(({ isKnown }) => isKnown).map(({ label, text }) => `${label} ${text}`),
          ].join(', ')}
        </span>
      </Td>
      <Td isNumber className="whitespace-nowrap align-top max-md:hidden">
        {freeText(headroom) ?? '–'}
      </Td>
      {plain.map(({ name, text }) => (
        <Td key={name} isNumber className="whitespace-nowrap align-top max-md:hidden">
          {text}
        </Td>
      ))}
    </Tr>
  )
}

const List = ({ pages, onMore }: { pages: readonly GpuHeadroomList[]; onMore: (() => void) | null }) => {
  const { cloud } = useCloud()
  const [{ q, state }, setParams] = useQueryStates(gpuHeadroomParams)
  const shown = pages.flatMap(({ hosts }) => hosts)
  const [first] = pages
  return (
    <>
      <Toolbar>
        <FilterInput
          className="sm:w-[250px]"
          label="Filter by host"
          value={q}
          onChange={(text) => void setParams({ q: text })}
        />
        {first?.states.map(({ state: each, count }) =>
          count === 0 ? null : (
            <FilterChip
              key={each}
              isOn={state === each}
              word={HEADROOM_STATE_TAGS[each].word}
              count={count}
              onToggle={() => void setParams({ state: state === each ? null : each })}
            />
          ),
        )}
      </Toolbar>
      {shown.length === 0 ? (
        <EmptyState
          title="No host matches the filter"
          action={<Button onClick={() => void setParams({ q: null, state: null })}>Clear the filter</Button>}
        >
          Change the text or the state.
        </EmptyState>
      ) : (
        <TablePanel>
          <Table aria-label="Headroom by host">
            <thead>
              <tr>
                <Th>Host</Th>
                <Th>Headroom</Th>
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
              {shown.map((headroom) => (
                <Row key={headroom.host} headroom={headroom} cloud={cloud} />
              ))}
            </tbody>
          </Table>
        </TablePanel>
      )}
      <MoreRows shown={shown.length} total={first?.total ?? 0} onMore={onMore} />
    </>
  )
}

const countOf = (data: GpuHeadroomList, states: readonly HeadroomStateDto[]): number =>
  data.states.reduce((sum, { state, count }) => (states.includes(state) ? sum + count : sum), 0)

/** Free GPUs against the CPU, memory and disk left for them, host by host, and what must be kept. */
export const GpuHeadroomPage = () => {
  const { cloud } = useCloud()
  const [params] = useQueryStates(gpuHeadroomParams)
  const q = useSettled(params.q, SETTLED_MS)
  const query = useInfiniteQuery(
    gpuHeadroomPages.options({ cloud, q: q.trim(), state: params.state, on: params.on }),
  )
  const { data, error, isPending } = query
  const first = data?.pages[0]
  const hosts = first === undefined ? 0 : countOf(first, HEADROOM_STATES)
  const starved = first === undefined ? 0 : countOf(first, ['starved', 'partly'])
  return (
    <>
      <PageHeader
        title="Headroom for GPUs"
        sub={
          first === undefined
            ? undefined
            : starved === 0
              ? `${formatNoun(hosts, 'GPU host')}, all with headroom`
              : `${formatCount(starved)} of ${formatNoun(hosts, 'GPU host')} without headroom`
        }
      />
      <HostsNav />
      <LoadProblem query={query} what="The headroom" />
      <StaleBanner />
      {isPending && error === null ? <SkeletonRows rows={10} label="Loading the headroom" /> : null}
      {data === undefined || first === undefined ? null : hosts === 0 ? (
        <EmptyState
          title="No host with a GPU reports yet"
          action={
            <Link href={agentSettingsPath({ cloud })} className={buttonStyle({ variant: 'main' })}>
              Add host
            </Link>
          }
        >
          A host is listed here when its agent reports a card with vGPUs or PCI passthrough.
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-3">
          <div>
            <List pages={data.pages} onMore={query.hasNextPage ? () => void query.fetchNextPage() : null} />
          </div>
          <KeepCalculator data={{ ...first, hosts: data.pages.flatMap(({ hosts }) => hosts) }} />
        </div>
      )}
    </>
  )
}
