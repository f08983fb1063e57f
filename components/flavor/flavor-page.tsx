'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useQueryStates } from 'nuqs'
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
import { Panel } from '@/components/ui/panel'
import { Tag } from '@/components/ui/tag'
import { isNotFound } from '@/lib/api/client'
import { flavorFitOptions } from '@/lib/api/flavors'
import type { FlavorFit } from '@/lib/schemas/api/flavor'
import { flavorsPath } from '@/lib/util/paths'
import { BuildLink } from './build-link'
import { FlavorServersPanel } from './flavor-servers-panel'
import { FlavorSpecsPanel } from './flavor-specs-panel'
import { ZoneSelect } from './zone-select'

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
