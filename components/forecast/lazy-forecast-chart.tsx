'use client'

import dynamic from 'next/dynamic'
import { Skeleton } from '@/components/ui/skeleton'

/** The chart library weighs more than all other script of a page, so only a page that draws fetches it. */
export const LazyForecastChart = dynamic(
  () => import('./forecast-chart').then(({ ForecastChart }) => ForecastChart),
  { ssr: false, loading: () => <Skeleton className="h-[240px]" /> },
)
