'use client'

import dynamic from 'next/dynamic'
import { Skeleton } from '@/components/ui/skeleton'

/** It is below the first screen, so its script loads after that of the page. */
export const LazyDemandPanel = dynamic(
  () => import('./demand-panel').then(({ DemandPanel }) => DemandPanel),
  {
    ssr: false,
    loading: () => <Skeleton className="mb-3.5 h-[240px]" />,
  },
)
