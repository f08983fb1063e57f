'use client'

import { useQuery } from '@tanstack/react-query'
import { cloudListOptions } from '@/lib/api/clouds'
import { formatDay, zoneText } from '@/lib/util/format'
import { useCloud } from './use-cloud'
import { useNow } from './use-now'
import { useTimeZone } from './use-time-zone'

/** The context of a printed page: the cloud, the day and the zone of its times. */
export const PrintedContext = () => {
  const { cloud } = useCloud()
  const { data } = useQuery(cloudListOptions())
  const nowMs = useNow()
  const present =
    data?.clouds.find(({ name }) => name === cloud) ?? (cloud === null ? data?.clouds[0] : undefined)
  const zone = useTimeZone()
  if (nowMs === null) return null
  const dayAndZone = [formatDay(new Date(nowMs), zone), `times in ${zoneText(zone)}`]
  return (
    <p className="hidden text-ink2 print:block">
      {[present?.name ?? cloud, present?.region, ...dayAndZone]
        .filter((part) => part !== null && part !== undefined)
        .join(', ')}
    </p>
  )
}
