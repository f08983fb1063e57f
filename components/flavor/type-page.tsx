'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { FitBody } from '@/components/fit/fit-body'
import { FitPending } from '@/components/fit/fit-pending'
import { QueryPanel } from '@/components/fit/query-panel'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { Panel } from '@/components/ui/panel'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { ApiError } from '@/lib/api/client'
import { typeFitOptions } from '@/lib/api/flavors'
import type { TypeFit } from '@/lib/schemas/api/flavor'
import { flavorPath, gpusPath } from '@/lib/util/paths'

const linkStyle = 'text-accent-ink underline'

const Flavors = ({ flavors, cloud }: { flavors: TypeFit['flavors']; cloud: string | null }) => (
  <Panel title="Flavors" note="that reach it">
    {flavors.length === 0 ? (
      <p className="text-ink2">
        No flavor reaches this type now, so its vGPUs are out of every server’s reach.
      </p>
    ) : (
      <ul>
        {flavors.map(({ id, name }) => (
          <li key={id}>
            <Link href={flavorPath({ cloud, flavor: id })} prefetch={false} className={linkStyle}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    )}
  </Panel>
)

const Side = ({ data, cloud }: { data: TypeFit; cloud: string | null }) => (
  <>
    <Flavors flavors={data.flavors} cloud={cloud} />
    <Panel title="Cards">
      <ul>
        {data.models.map((model) => (
          <li key={model}>
            <Link
              href={gpusPath({ cloud, search: { model, type: data.typeId } })}
              prefetch={false}
              className={linkStyle}
            >
              {model}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
    <QueryPanel fit={data.fit}>
      <p className="mt-2 text-ink2 text-small">
        One vGPU and nothing else. Placement knows classes and traits, not types: of its answer the providers
        count that nova.conf gives this type.
      </p>
    </QueryPanel>
  </>
)

/** How many more vGPUs of a type fit, whatever flavor brings them. */
export const TypePage = ({ type }: { type: string }) => {
  const { cloud } = useCloud()
  const query = useQuery(typeFitOptions({ cloud, type }))
  const { data, error, isPending } = query
  const isMissing = error instanceof ApiError && error.status === 404
  return (
    <>
      <PageHeader
        title={data?.name ?? type}
        sub={
          <>
            vGPU type <span className="font-mono text-small">{type}</span>
          </>
        }
      />
      {isPending ? <FitPending label="Loading the vGPU type" /> : null}
      {isMissing ? (
        <EmptyState
          title="There is no such vGPU type"
          action={
            <Link href={gpusPath({ cloud })} className={linkStyle}>
              All GPUs
            </Link>
          }
        >
          {error.message}
        </EmptyState>
      ) : null}
      {error !== null && !isMissing ? (
        <div className="mb-3">
          <ErrorState
            title="The vGPU type could not be explained"
            error={error}
            onRetry={() => void query.refetch()}
            isRetrying={query.isFetching}
          />
        </div>
      ) : null}
      {data === undefined || isMissing ? null : (
        <FitBody fit={data.fit} unit="vGPU" cloud={cloud} side={<Side data={data} cloud={cloud} />} />
      )}
    </>
  )
}
