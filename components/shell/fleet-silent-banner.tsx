'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { freshnessOptions } from '@/lib/api/freshness'
import { useCloud } from './use-cloud'

/** Rarely shown. */
const NoReportsNotice = dynamic(() => import('./no-reports-notice').then((module) => module.NoReportsNotice))

/** Most hosts went silent at once: the cause is more likely the console's network than the hosts. */
export const FleetSilentBanner = () => {
  const { cloud } = useCloud()
  const { data } = useQuery(freshnessOptions({ cloud }))
  return data?.isFleetSilent ? <NoReportsNotice {...data} /> : null
}
