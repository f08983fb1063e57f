import type { StepSummary } from '@/lib/schemas/api/change-steps'
import type { StepState } from '@/lib/schemas/states'

/** A step as the summary counts it; `host` null: it acts on none. */
export type CountedStep = {
  host: string | null
  kind: string
  doer: StepSummary['tasks'][number]['doer']
  state: StepState
  changedAt: Date | null
}

/** States that need attention, the most urgent first. */
const URGENCY = ['failed', 'blocked', 'waiting', 'running'] as const

const isEnded = ({ state }: CountedStep): boolean => state === 'done' || state === 'skipped'

const latest = (steps: readonly CountedStep[]): string | null => {
  let last: Date | null = null
  for (const { changedAt } of steps)
    if (changedAt !== null && (last === null || changedAt > last)) last = changedAt
  return last?.toISOString() ?? null
}

const groups = <Key, Step>(steps: readonly Step[], keyOf: (step: Step) => Key): Map<Key, Step[]> => {
  const found = new Map<Key, Step[]>()
  for (const step of steps) {
    const key = keyOf(step)
    const group = found.get(key)
    if (group === undefined) found.set(key, [step])
    else group.push(step)
  }
  return found
}

/** The steps of a change in numbers: by host in the order of their first steps, and by kind and doer. */
export const summarizeSteps = (steps: readonly CountedStep[]): StepSummary => ({
  stepCount: steps.length,
  hosts: [...groups(steps, ({ host }) => host)].map(([host, ofHost]) => ({
    host,
    steps: ofHost.length,
    ended: ofHost.filter(isEnded).length,
    state: URGENCY.find((wanted) => ofHost.some(({ state }) => state === wanted)) ?? null,
    changedAt: latest(ofHost),
  })),
  tasks: [...groups(steps, ({ kind, doer }) => `${kind} ${doer}`).values()].flatMap((ofTask) => {
    const [first] = ofTask
    return first === undefined ? [] : [{ kind: first.kind, doer: first.doer, steps: ofTask.length }]
  }),
})
