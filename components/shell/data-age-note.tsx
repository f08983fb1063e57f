'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from 'next/navigation'
import { Tooltip } from '@/components/ui/tooltip'
import { freshnessOptions } from '@/lib/api/freshness'
import type { Freshness } from '@/lib/schemas/api/fleet'
import { classNames } from '@/lib/util/class-names'
import { formatAge, formatMoment, formatNoun } from '@/lib/util/format'
import { useCloud } from './use-cloud'
import { useIsConnectionLost } from './use-is-connection-lost'
import { useNow } from './use-now'
import { useTimeZone } from './use-time-zone'

type DataAge =
  | { state: 'loading' }
  | { state: 'none' }
  | { state: 'fresh' | 'old' | 'unreachable'; seenAt: Date; ageSeconds: number }

/**
 * The age of the newest report: of the page's own host if it is silent, else of any host. The server's clock measures until
 * its answer, the browser's clock from then on, so a wrong clock of the browser does not matter. `unreachable`: the
 * console does not answer.
 */
export const dataAge = ({
  host,
  freshness,
  answeredAtMs,
  nowMs,
  isFailing,
}: {
  /** The host that the page is about; null: the whole fleet. */
  host: string | null
  freshness: Freshness | undefined
  answeredAtMs: number
  nowMs: number
  isFailing: boolean
}): DataAge => {
  if (freshness === undefined) return { state: 'loading' }
  const silent = freshness.silentHosts.find((entry) => entry.host === host)
  const seen = silent === undefined ? freshness.newestSeenAt : silent.seenAt
  if (seen === null) return { state: 'none' }
  const seenAt = new Date(seen)
  const atAnswerMs = new Date(freshness.now).getTime() - seenAt.getTime()
  const ageSeconds = Math.max(0, (atAnswerMs + Math.max(0, nowMs - answeredAtMs)) / 1000)
  if (isFailing) return { state: 'unreachable', seenAt, ageSeconds }
  return { state: ageSeconds > freshness.silentAfterSeconds ? 'old' : 'fresh', seenAt, ageSeconds }
}

const dot = "before:mr-1.5 before:inline-block before:size-[7px] before:rounded-full before:content-['']"

/** "Data from 14:03:22, 12 s ago": on every page, a warning when it is old. */
export const DataAgeNote = () => {
  const { cloud } = useCloud()
  const queryClient = useQueryClient()
  const { host } = useParams<{ host?: string }>()
  const { data, dataUpdatedAt } = useQuery(freshnessOptions({ cloud }))
  const isUnreachable = useIsConnectionLost()
  const nowMs = useNow()
  const zone = useTimeZone()
  const age =
    nowMs === null
      ? ({ state: 'loading' } as const)
      : dataAge({
          host: host === undefined ? null : decodeURIComponent(host).toLowerCase(),
          freshness: data,
          answeredAtMs: dataUpdatedAt,
          nowMs,
          isFailing: isUnreachable,
        })
  if (age.state === 'loading') {
    const text = isUnreachable ? 'The console is not responding' : 'Data age …'
    return <span className={classNames('text-small', isUnreachable ? 'text-bad' : 'text-ink3')}>{text}</span>
  }
  if (age.state === 'none') return <span className="text-ink2 text-small">No data yet</span>
  const isOld = age.state !== 'fresh'
  const silentCount = data?.silentHosts.length ?? 0
  const text = `Data from ${formatMoment(age.seenAt, new Date(nowMs ?? 0), zone)}, ${formatAge(age.ageSeconds)} ago`
  return (
    <Tooltip
      content={
        age.state === 'unreachable'
          ? 'The console is not responding. The last known numbers are shown.'
          : silentCount === 0
            ? `All ${formatNoun(data?.hostCount ?? 0, 'host')} reported within ${data?.silentAfterSeconds} s.`
            : `${silentCount} of ${formatNoun(data?.hostCount ?? 0, 'host')} silent; their values are grayed out.`
      }
    >
      <button
        type="button"
        onClick={() => void queryClient.invalidateQueries()}
        className={classNames(
          'whitespace-nowrap text-small tabular-nums',
          dot,
          isOld
            ? 'rounded-tag bg-warn2 px-1.5 py-0.5 font-[550] text-warn before:bg-warn'
            : 'text-ink2 before:bg-accent',
        )}
      >
        {age.state === 'unreachable' ? <span className="max-sm:sr-only">No answer. </span> : null}
        {text}
      </button>
    </Tooltip>
  )
}
