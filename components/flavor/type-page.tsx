'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { FitBody } from '@/components/fit/fit-body'
import { FitPending } from '@/components/fit/fit-pending'
import { QueryPanel } from '@/components/fit/query-panel'
import { useHostQuestion } from '@/components/fit/use-host-question'
import { PageHeader } from '@/components/shell/page-header'
import { SubjectProblem } from '@/components/shell/subject-problem'
import { useCloud } from '@/components/shell/use-cloud'
import { Panel } from '@/components/ui/panel'
import { isNotFound } from '@/lib/api/client'
import { typeFitOptions } from '@/lib/api/flavors'
import type { TypeFit } from '@/lib/schemas/api/flavor'
import { flavorPath, gpusPath } from '@/lib/util/paths'

const linkStyle = 'text-accent-ink underline'

const Flavors = ({ flavors, cloud }: { flavors: TypeFit['flavors']; cloud: string | null }) => (
  <Panel title="Flavors" note="that match this type">
    {flavors.length === 0 ? (
      <p className="text-ink2">No flavor matches this type now, so its vGPUs cannot be scheduled.</p>
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
        One vGPU without other resources. Placement has no vGPU types, so only providers whose nova.conf
        configures this type are counted.
      </p>
    </QueryPanel>
  </>
)

/** How many more vGPUs of a type fit, independent of the flavor. */
export const TypePage = ({ type }: { type: string }) => {
  const { cloud } = useCloud()
  const query = useInfiniteQuery(typeFitOptions({ cloud, type, ...useHostQuestion() }))
  const { error, isPending } = query
  const [data, ...more] = query.data?.pages ?? []
  const isMissing = isNotFound(error)
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
      <SubjectProblem
        query={query}
        subject="vGPU type"
        all={{ href: gpusPath({ cloud }), label: 'All GPUs' }}
        what="The vGPU type"
      />
      {data === undefined || isMissing ? null : (
        <FitBody
          pages={[data.fit, ...more.map(({ fit }) => fit)]}
          unit="vGPU"
          cloud={cloud}
          side={<Side data={data} cloud={cloud} />}
          onMore={query.hasNextPage ? () => void query.fetchNextPage() : null}
        />
      )}
    </>
  )
}
