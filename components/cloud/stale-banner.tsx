'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useCloud } from '@/components/shell/use-cloud'
import { cloudReadingOptions } from '@/lib/api/cloud-reading'

/** Rarely shown. */
const StaleList = dynamic(() => import('./stale-list').then((module) => module.StaleList))

/** What is old because a service does not answer. Nothing while each part is current. */
export const StaleBanner = ({ isOwnPage = false }: { isOwnPage?: boolean }) => {
  const { cloud } = useCloud()
  const { data } = useQuery(cloudReadingOptions({ cloud }))
  const isStale = data?.parts.some(({ error, failingSince }) => error !== null && failingSince !== null)
  return data === undefined || isStale !== true ? null : (
    <StaleList data={data} cloud={cloud} isOwnPage={isOwnPage} />
  )
}
