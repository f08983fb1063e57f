'use client'

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { cloudListOptions } from '@/lib/api/clouds'
import { formatDay, timeZoneName } from '@/lib/util/format'
import { useCloud } from './use-cloud'
import { useNow } from './use-now'

/** The context of a printed page: the cloud, the day and the zone of its times. */
export const PrintedContext = () => {
  const { cloud } = useCloud()
  const { data } = useQuery(cloudListOptions())
  const nowMs = useNow()
  const present =
    data?.clouds.find(({ name }) => name === cloud) ?? (cloud === null ? data?.clouds[0] : undefined)
  const today = nowMs === null ? null : new Date(nowMs).toDateString()
  // Once a day and not with each tick: reading the zone creates a formatter, which takes some milliseconds on a slow
  // machine.
  const dayAndZone = useMemo(
    () => (today === null ? [] : [formatDay(new Date(today)), `times in ${timeZoneName()}`]),
    [today],
  )
  if (today === null) return null
  return (
    <p className="hidden text-ink2 print:block">
      {[present?.name ?? cloud, present?.region, ...dayAndZone]
        .filter((part) => part !== null && part !== undefined)
        .join(', ')}
    </p>
  )
}
