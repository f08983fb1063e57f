'use client'

import dynamic from 'next/dynamic'
import { Skeleton } from '@/components/ui/skeleton'

/** The chart library weighs more than all other script of a page, so only a page that draws fetches it. */
export const LazyUsageChart = dynamic(() => import('./usage-chart').then(({ UsageChart }) => UsageChart), {
  ssr: false,
  loading: () => <Skeleton className="h-[180px]" />,
})
