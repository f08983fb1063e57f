'use client'

import type { ReactNode } from 'react'
import { ChartClock } from '@/components/charts/chart-clock'
import { timeZoneName } from '@/lib/util/format'
import { useIsInBrowser } from './use-is-in-browser'

/** Charts within tell their times as the words around them do: on the reader's clocks, once those are known. */
export const ReaderClock = ({ children }: { children: ReactNode }) => {
  const isInBrowser = useIsInBrowser()
  return <ChartClock zone={isInBrowser ? timeZoneName() : 'UTC'}>{children}</ChartClock>
}
