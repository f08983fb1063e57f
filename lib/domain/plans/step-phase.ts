import type { STEP_PHASES } from '@/lib/schemas/choices'

export type StepPhase = (typeof STEP_PHASES)[number]

/** By the kind of step, as its id begins; other kinds reconfigure something. */
const PHASES: ReadonlyMap<string, StepPhase> = new Map(
  Object.entries({
    'create-trait': 'prepare',
    'create-aggregate': 'prepare',
    'grant-system-role': 'prepare',
    'close-service': 'prepare',
    'drain-server': 'drain',
    'await-empty': 'drain',
    'await-offer': 'verify',
    'await-alias': 'verify',
    'follow-capacity': 'verify',
    'test-boot': 'verify',
    'delete-test': 'verify',
    'verify-pgpu': 'verify',
    'verify-room': 'verify',
    'verify-sliced': 'verify',
    'verify-whole': 'verify',
    'open-service': 'enable',
    'reopen-service': 'enable',
  } satisfies Record<string, StepPhase>),
)

/** The phase of a step, by its id. */
export const phaseOfStep = ({ id }: { id: string }): StepPhase =>
  PHASES.get(id.split('/', 1)[0] ?? '') ?? 'reconfigure'

/** Consecutive steps of one phase. */
export const groupByPhase = <Step extends { id: string }>(
  steps: readonly Step[],
): { phase: StepPhase; steps: Step[] }[] => {
  const groups: { phase: StepPhase; steps: Step[] }[] = []
  for (const step of steps) {
    const phase = phaseOfStep(step)
    const last = groups.at(-1)
    if (last?.phase === phase) last.steps.push(step)
    else groups.push({ phase, steps: [step] })
  }
  return groups
}
