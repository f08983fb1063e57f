'use client'

import { createContext, type ReactNode, use } from 'react'
import { zoneText } from '@/lib/util/format'
import { dayOnClock, pointMoment, zoneOfSteps } from './chart-moments'

const ChartZone = createContext('UTC')

/** Charts within show their times on the clocks of a time zone, by its IANA name; others in UTC. */
export const ChartClock = ({ zone, children }: { zone: string; children: ReactNode }) => (
  <ChartZone value={zone}>{children}</ChartZone>
)

/** The zone and format of the times of a chart with such steps: its IANA name and its text. */
export const useChartClock = (stepSeconds: number) => {
  const zone = zoneOfSteps(use(ChartZone), stepSeconds)
  return {
    zone,
    words: zoneText(zone),
    /** The time span of a point. */
    moment: (at: number, endsAt?: number, beginsAt?: number): string =>
      pointMoment(at, { stepSeconds, zone, beginsAt, endsAt }),
    day: (at: number): string => dayOnClock(at, zone),
  }
}
