'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useState } from 'react'
import { sinceDays } from '@/components/charts/since-days'
import { LoadProblem } from '@/components/shell/load-problem'
import { Panel } from '@/components/ui/panel'
import { refusedDemandOptions } from '@/lib/api/refused-demand'
import { formatNoun } from '@/lib/util/format'
import { capacityPath } from '@/lib/util/paths'
import { RefusedGroups } from './refused-groups'
import { toRefusedPoints } from './refused-point'
import { SmallRefused } from './small-refused'

const DAYS = 30

/**
 * Recently refused GPU requests, of the cloud or of one flavor or project: small, with a link to all of them; hidden
 * without refusals, and while it is loading.
 */
export const RefusedPanel = ({
  cloud,
  of = null,
  className,
}: {
  cloud: string | null
  of?: { by: 'flavor' | 'project'; key: string } | null
  className?: string
}) => {
  const [from] = useState(() => sinceDays(DAYS))
  const keyOf = (by: 'flavor' | 'project') => (of?.by === by ? of.key : null)
  const question = { cloud, flavor: keyOf('flavor'), project: keyOf('project'), from, until: null }
  const query = useQuery(refusedDemandOptions(question))
  const { data } = query
  const problem = <LoadProblem query={query} what="Who was refused a GPU" />
  if (data === undefined || data.servers === 0) return problem
  return (
    <Panel
      {...(className === undefined ? {} : { className })}
      title="Refused"
      note={`${formatNoun(data.servers, 'server')} got no GPU in the last ${DAYS} days, as far as this console looked`}
      actions={
        <Link
          href={`${capacityPath({ cloud, search: of === null ? {} : of })}#refused`}
          prefetch={false}
          className="text-accent-ink text-small underline"
        >
          Over time
        </Link>
      }
    >
      {problem}
      <SmallRefused points={toRefusedPoints(data)} data={data} />
      <RefusedGroups groups={data.groups} />
    </Panel>
  )
}
