import type { Capacity, CapacitySeries } from '@/lib/schemas/api/capacity'
import { formatCount } from '@/lib/util/format'
import type { CapacityGroup } from './capacity-search-params'
import type { CapacityView } from './use-capacity-view'

/** What groups are called: as a choice, as the head of their column, and where one has no name. */
export const GROUP_LABELS: Readonly<
  Record<CapacityGroup | 'pgpu', { choice: string; head: string; noun: string; unknown: string }>
> = {
  type: { choice: 'vGPU type', head: 'Type', noun: 'vGPU type', unknown: 'no type' },
  model: { choice: 'Model', head: 'Model', noun: 'model', unknown: 'unknown model' },
  aggregate: { choice: 'Aggregate', head: 'Aggregate', noun: 'aggregate', unknown: 'no aggregate' },
  flavor: { choice: 'Flavor', head: 'Flavor', noun: 'flavor', unknown: 'unknown flavor' },
  project: { choice: 'Project', head: 'Project', noun: 'project', unknown: 'unknown project' },
  pgpu: { choice: 'pGPU', head: 'pGPU', noun: 'pGPU', unknown: 'unknown pGPU' },
}

/** Of flavors and projects nothing but the vGPUs that they hold is known. */
export const isHeldGroup = (by: string): boolean => by === 'flavor' || by === 'project'

/** The selected subject: `All vGPUs`, a group, a host or a pGPU. */
export const chosenName = (
  { host, address, chosen, by }: Pick<CapacityView, 'host' | 'address' | 'chosen' | 'by'>,
  series: Pick<CapacitySeries, 'label'> | undefined,
): string => {
  if (host !== null) return address === null ? host : `${host} ${address}`
  return chosen === null ? 'All vGPUs' : series?.label || GROUP_LABELS[by].unknown
}

/** Averages are shown in whole vGPUs: `446`. */
export const vgpus = (value: number | null): string | null =>
  value === null ? null : formatCount(Math.round(value))

/** `+12`, `-3`, `0`. */
export const formatGrowth = (growth: number): string => {
  const whole = Math.round(growth)
  return whole > 0 ? `+${formatCount(whole)}` : formatCount(whole === 0 ? 0 : whole)
}

/** `+12 compared with the 7 days from 2026-10-29`, `+2 compared with 2026-11-18`. */
export const growthNote = (growth: number | null, periods: Capacity['comparedPeriods']): string => {
  if (growth === null || periods === null) return 'Change: not enough history'
  const { from, until } = periods.earlier
  const days = Math.round((Date.parse(until) - Date.parse(from)) / 86_400_000)
  const earlier = days === 1 ? dayOf(from) : `the ${days} days from ${dayOf(from)}`
  return `${formatGrowth(growth)} compared with ${earlier}`
}

/** `2026-11-21` of a moment in ISO 8601 UTC. */
export const dayOf = (at: string): string => at.slice(0, 10)

/** The last day of what ends at a moment in ISO 8601 UTC: of `2026-11-22T00:00:00Z` it is `2026-11-21`. */
export const lastDayOf = (until: string): string => dayOf(new Date(Date.parse(until) - 1).toISOString())
