import { groupBy } from '@/lib/domain/cloud/match-host'
import type { StepSummary } from '@/lib/schemas/api/change-steps'
import { STEP_PHASES } from '@/lib/schemas/choices'
import type { StepState } from '@/lib/schemas/states'
import { phaseOfStep } from './step-phase'

/** Steps of a host of one kind and state; `id` of one of them, `host` null: they act on none. */
export type HostSteps = {
  host: string | null
  id: string
  state: StepState
  steps: number
  changedAt: Date | null
}

type Host = StepSummary['hosts'][number]
type Doer = StepSummary['tasks'][number]['doer']

/** States that need attention, the most urgent first. */
const URGENCY = ['failed', 'blocked', 'waiting', 'running'] as const

const latest = (groups: readonly HostSteps[]): string | null => {
  const times = groups.flatMap(({ changedAt }) => changedAt?.getTime() ?? [])
  return times.length === 0 ? null : new Date(Math.max(...times)).toISOString()
}

const sumOf = (groups: readonly HostSteps[]): number => groups.reduce((sum, { steps }) => sum + steps, 0)

const numbersOf = (groups: readonly HostSteps[]) => ({
  steps: sumOf(groups),
  ended: sumOf(groups.filter(({ state }) => state === 'done' || state === 'skipped')),
  state: URGENCY.find((wanted) => groups.some(({ state }) => state === wanted)) ?? null,
})

const hostOf = (host: string | null, groups: readonly HostSteps[]): Host => {
  const byPhase = groupBy(groups, phaseOfStep)
  return {
    host,
    ...numbersOf(groups),
    changedAt: latest(groups),
    phases: STEP_PHASES.flatMap((phase) => {
      const own = byPhase.get(phase)
      return own === undefined ? [] : [{ phase, ...numbersOf(own) }]
    }),
  }
}

/** Steps in numbers by host and phase, in the order in which the hosts appear. */
export const summarizeHosts = (groups: readonly HostSteps[]): Host[] => {
  const byHost = new Map<string | null, HostSteps[]>()
  for (const group of groups) {
    const known = byHost.get(group.host)
    if (known === undefined) byHost.set(group.host, [group])
    else known.push(group)
  }
  return [...byHost].map(([host, ofHost]) => hostOf(host, ofHost))
}

/** Steps in numbers by kind and doer. */
export const countTasks = (steps: readonly { kind: string; doer: Doer }[]): StepSummary['tasks'] => {
  const tasks = new Map<string, StepSummary['tasks'][number]>()
  for (const { kind, doer } of steps) {
    const key = `${kind} ${doer}`
    tasks.set(key, { kind, doer, steps: (tasks.get(key)?.steps ?? 0) + 1 })
  }
  return [...tasks.values()]
}
