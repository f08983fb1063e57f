'use client'

import dynamic from 'next/dynamic'
import { Skeleton } from '@/components/ui/skeleton'

/** It is shown only after a group is chosen, so its script is loaded then. */
export const LazyForecastDays = dynamic(
  () => import('./forecast-days').then(({ ForecastDays }) => ForecastDays),
  {
    ssr: false,
    loading: () => <Skeleton className="h-[240px]" />,
  },
)
