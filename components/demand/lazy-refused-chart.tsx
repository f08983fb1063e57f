'use client'

import dynamic from 'next/dynamic'
import { Skeleton } from '@/components/ui/skeleton'

/** The chart library weighs more than all other script of a page, so only a page that draws fetches it. */
export const LazyRefusedChart = dynamic(
  () => import('./refused-chart').then(({ RefusedChart }) => RefusedChart),
  { ssr: false, loading: () => <Skeleton className="h-[160px]" /> },
)
