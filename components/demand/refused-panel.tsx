'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useState } from 'react'
import { useChartClock } from '@/components/charts/chart-clock'
import { sinceDays } from '@/components/charts/since-days'
import { LoadProblem } from '@/components/shell/load-problem'
import { Panel } from '@/components/ui/panel'
import { refusedDemandOptions } from '@/lib/api/refused-demand'
import type { RefusedDemand } from '@/lib/schemas/api/refused-demand'
import { formatNoun } from '@/lib/util/format'
import { capacityPath } from '@/lib/util/paths'
import { RefusedGroups } from './refused-groups'
import { type RefusedPoint, toRefusedPoints } from './refused-point'

/** Its points are days. */
const DAY_SECONDS = 86_400
const SIZE = { width: 600, height: 40 }

/** Servers refused day by day without axes, as wide as its panel; all of them stand on the page of the capacity. */
const SmallRefused = ({
  points,
  data: { servers, until },
}: {
  points: readonly RefusedPoint[]
  data: Pick<RefusedDemand, 'servers' | 'until'>
}) => {
  const clock = useChartClock(DAY_SECONDS)
  const max = Math.max(1, ...points.map(({ all }) => all))
  const width = SIZE.width / points.length
  return (
    <>
      <svg
        viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${formatNoun(servers, 'server')} refused, at most ${max} per day`}
        className="block h-10 w-full border-line border-b"
      >
        {points.map(({ at, all }, index) => (
          <rect
            key={at}
            x={index * width + width * 0.1}
            y={SIZE.height * (1 - all / max)}
            width={width * 0.8}
            height={SIZE.height * (all / max)}
            fill="var(--bad)"
          />
        ))}
      </svg>
      <p className="mt-0.5 mb-1.5 flex justify-between gap-2 text-ink3 text-small">
        <span>{clock.day(points[0]?.at ?? Date.parse(until))}</span>
        <span>at most {max} per day</span>
        <span>
          {clock.day(Date.parse(until) - 1)}, {clock.words}
        </span>
      </p>
    </>
  )
}

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
  const problem = <LoadProblem query={query} what="The refused GPU requests" />
  if (data === undefined || data.servers === 0) return problem
  return (
    <Panel
      {...(className === undefined ? {} : { className })}
      title="Refused"
      note={`${formatNoun(data.servers, 'server')} got no GPU in the last ${DAYS} days, as far as recorded`}
      actions={
        <Link
          href={capacityPath({ cloud, search: { tab: 'refused', ...of } })}
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
