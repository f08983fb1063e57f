'use client'

import { useQuery } from '@tanstack/react-query'
import { useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { NotReadYet } from '@/components/cloud/not-read-yet'
import { StaleBanner } from '@/components/cloud/stale-banner'
import { RefusedPanel } from '@/components/demand/refused-panel'
import { LoadProblem } from '@/components/shell/load-problem'
import { Moment } from '@/components/shell/moment'
import { PageHeader } from '@/components/shell/page-header'
import { TimedText } from '@/components/shell/timed-text'
import { useCloud } from '@/components/shell/use-cloud'
import { Button } from '@/components/ui/button'
import { ClearButton } from '@/components/ui/clear-button'
import { SkeletonRows } from '@/components/ui/skeleton'
import { StateChips } from '@/components/ui/state-chips'
import { EmptyState } from '@/components/ui/states'
import { FilterInput, Toolbar } from '@/components/ui/toolbar'
import { flavorListOptions } from '@/lib/api/flavors'
import type { FlavorList, FlavorSummary } from '@/lib/schemas/api/flavor'
import { formatNoun } from '@/lib/util/format'
import { arrangeFlavors, isFull } from './arrange-flavors'
import { BuildLink } from './build-link'
import { flavorSearchParams } from './flavor-search-params'
import { FlavorTable } from './flavor-table'

const CLEAR = { q: null, state: null } as const

const Tools = ({ flavors }: { flavors: readonly FlavorSummary[] }) => {
  const [params, setParams] = useQueryStates(flavorSearchParams)
  return (
    <Toolbar>
      <FilterInput
        className="sm:w-[250px]"
        label="Filter by flavor, type, size"
        value={params.q}
        onChange={(q) => void setParams({ q })}
      />
      <StateChips
        chosen={params.state}
        states={[
          { state: 'full', word: 'None fits', count: flavors.filter(isFull).length },
          {
            state: 'findings',
            word: 'With findings',
            count: flavors.filter(({ findings }) => findings.length > 0).length,
          },
        ]}
        onChoose={(state) => void setParams({ state })}
      />
      {params.q === '' && params.state === null ? null : (
        <ClearButton onClear={() => void setParams(CLEAR)} />
      )}
    </Toolbar>
  )
}

const Gap = ({ gap, readAt }: Pick<FlavorList, 'gap' | 'readAt'>) =>
  gap === null ? null : (
    <p className="mb-3 text-ink2">
      <strong className="font-semibold text-warn">Can’t tell what fits now:</strong> <TimedText text={gap} />.
      What stands is of the last reading{readAt === null ? '' : ', '}
      {readAt === null ? null : <Moment at={readAt} />}.
    </p>
  )

const List = ({ data, flavors }: { data: FlavorList; flavors: readonly FlavorSummary[] }) => {
  const { cloud } = useCloud()
  const [params, setParams] = useQueryStates(flavorSearchParams)
  const shown = useMemo(() => arrangeFlavors(flavors, params), [flavors, params])
  const isNarrowed = params.q !== '' || params.state !== null
  if (flavors.length === 0)
    return (
      <EmptyState title="No flavor asks for a GPU" action={<BuildLink cloud={cloud} />}>
        {data.withoutGpu === 0
          ? 'Nova has no flavor at all.'
          : `${formatNoun(data.withoutGpu, 'flavor asks', 'flavors ask')} for none.`}{' '}
        A flavor asks for a vGPU by the extra spec resources:VGPU=1, and for a type of it by a trait or a
        resource class.
      </EmptyState>
    )
  return (
    <>
      <Tools flavors={flavors} />
      <p className="sr-only" role="status">
        {isNarrowed ? `${shown.length} of ${formatNoun(flavors.length, 'flavor')} shown` : ''}
      </p>
      {shown.length === 0 ? (
        <EmptyState
          title="No flavor matches the filter"
          action={<Button onClick={() => void setParams(CLEAR)}>Clear the filter</Button>}
        >
          Every word must match the name, the id or the resources of a flavor.
        </EmptyState>
      ) : (
        <FlavorTable flavors={shown} isOld={data.gap !== null} />
      )}
      {data.withoutGpu === 0 ? null : (
        <p className="mt-2 text-ink3 text-small">
          {formatNoun(data.withoutGpu, 'flavor asks', 'flavors ask')} for no GPU and{' '}
          {data.withoutGpu === 1 ? 'is' : 'are'} left out.
        </p>
      )}
    </>
  )
}

const Body = ({ data }: { data: FlavorList }) => {
  if (data.flavors !== null)
    return (
      <>
        <StaleBanner />
        <Gap gap={data.gap} readAt={data.readAt} />
        <List data={data} flavors={data.flavors} />
      </>
    )
  return data.isRead ? (
    <>
      <StaleBanner />
      <EmptyState title="Can’t tell which flavors there are">{data.because}.</EmptyState>
    </>
  ) : (
    <NotReadYet source="Flavors come from Nova, and free capacity comes from Placement." />
  )
}

/** GPU flavors with the number of servers that still fit. */
export const FlavorsPage = () => {
  const { cloud } = useCloud()
  const query = useQuery(flavorListOptions({ cloud }))
  const { data, error, isPending } = query
  const count = data?.flavors?.length
  return (
    <>
      <PageHeader
        title="Flavors"
        sub={
          count === undefined || data === undefined ? undefined : (
            <>
              {formatNoun(count, 'GPU flavor')}, read <Moment at={data.readAt} />
            </>
          )
        }
        actions={<BuildLink cloud={cloud} />}
      />
      <LoadProblem query={query} what="The flavors" />
      {isPending && error === null ? <SkeletonRows rows={10} label="Loading the flavors" /> : null}
      {data === undefined ? null : <Body data={data} />}
      <RefusedPanel cloud={cloud} className="mt-4" />
    </>
  )
}
