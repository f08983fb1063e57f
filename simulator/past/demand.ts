import type { ProjectName } from '@/simulator/world/projects'
import type { Trend } from './host-stories'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** How the servers of a project come and go. */
export type Rhythm = 'office' | 'training' | 'rendering' | 'steady'

const RHYTHMS: Record<ProjectName, Rhythm> = {
  'vdi-north': 'office',
  'campus-cad': 'office',
  'bio-ml': 'training',
  'cfd-lab': 'training',
  'speech-team': 'training',
  'render-farm': 'rendering',
  platform: 'steady',
}

/** The rhythm of most of a host's projects. */
export const rhythmOf = (projects: readonly ProjectName[]): Rhythm => {
  const counts = new Map<Rhythm, number>()
  for (const name of projects) counts.set(RHYTHMS[name], (counts.get(RHYTHMS[name]) ?? 0) + 1)
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 'steady'
}

/** Central European time without its summer: hours of work shift by one half of the year, as charts in UTC show them. */
const localTime = (at: number) => {
  const local = new Date(at + HOUR_MS)
  return {
    hour: local.getUTCHours() + local.getUTCMinutes() / 60,
    day: local.getUTCDay(),
    month: local.getUTCMonth(),
    date: local.getUTCDate(),
  }
}

/** Admins change things in the morning, on Mondays to Thursdays: the first such moment that is not before. */
export const workingMorning = (at: number): number => {
  const day = Math.floor(at / DAY_MS) * DAY_MS
  const mornings = [0, 1, 2, 3, 4].map((days) => day + days * DAY_MS + 8 * HOUR_MS)
  const isWorking = (morning: number): boolean => {
    const weekday = new Date(morning).getUTCDay()
    return morning >= at && weekday >= 1 && weekday <= 4
  }
  return mornings.find(isWorking) ?? at
}

const isWeekend = (day: number): boolean => day === 0 || day === 6

const between = (value: number, [low, high]: readonly [number, number]): number =>
  Math.min(1, Math.max(0, (value - low) / (high - low)))

/** 1 in ordinary weeks; less in August and between the years. */
const season = (at: number): number => {
  const { month, date } = localTime(at)
  if ((month === 11 && date >= 21) || (month === 0 && date <= 3)) return 0.25
  return month === 7 ? 0.55 : 1
}

/** Seats are taken in the morning and left in the evening, on working days. */
const office = (at: number): number => {
  const { hour, day } = localTime(at)
  const present = between(hour, [7, 9.5]) * (1 - between(hour, [16.5, 19.5]))
  const lunch = hour >= 12 && hour < 13.5 ? 0.85 : 1
  return (isWeekend(day) ? 0.06 : 1) * present * lunch * season(at)
}

/** Runs are started when people go home, and take what they get at weekends. */
const training = (at: number): number => {
  const { hour, day } = localTime(at)
  if (isWeekend(day)) return 0.8
  return hour >= 19 || hour < 7 ? 0.65 : 0.2
}

/** Towards the end of the week, and much more before a delivery, every sixth week. */
const rendering = (at: number): number => {
  const { day } = localTime(at)
  const week = Math.floor(at / (7 * DAY_MS)) % 6
  return ([0.1, 0.2, 0.3, 0.55, 0.7, 0.6, 0.15][day] ?? 0.2) * (week === 5 ? 1.3 : 0.65) * season(at)
}

const SHAPES: Record<Rhythm, (at: number) => number> = {
  office,
  training,
  rendering,
  steady: () => 0.15,
}

/** Demand for what the servers that stay leave free, as a share of it at a moment: 0 to a little over 1. */
export const wantedShare = (rhythm: Rhythm, at: number): number => SHAPES[rhythm](at)

/** How many servers stay, against today's: `age` is 1 at the year's begin and 0 today. */
export const stayingFactor = (trend: Trend, age: number): number => {
  if (trend === 'grows') return 1 - 0.55 * age
  if (trend === 'fills') return 1 - 0.6 * age ** 0.8
  return trend === 'shrinks' ? 1 + 0.45 * age : 1
}

/** How much of the rhythm's demand there is: demand for what fills up grows until there is not enough of it. */
export const pressure = (trend: Trend, age: number): number => {
  if (trend === 'fills') return 0.2 + 1.2 * Math.max(0, 1 - 2.2 * age)
  if (trend === 'grows') return 0.18 + 0.12 * (1 - age)
  return trend === 'shrinks' ? 0.2 : 0.4
}
