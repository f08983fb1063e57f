'use client'

import type { ReactNode } from 'react'
import { ChartClock } from '@/components/charts/chart-clock'
import { useTimeZone } from './use-time-zone'

/** Charts within show their times in the zone of the texts around them. */
export const ReaderClock = ({ children }: { children: ReactNode }) => (
  <ChartClock zone={useTimeZone()}>{children}</ChartClock>
)
