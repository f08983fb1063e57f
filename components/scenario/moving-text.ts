import type { ScenarioStepDto } from '@/lib/schemas/api/scenario-inputs'
import type { ScenarioResult, StepOutcomeDto } from '@/lib/schemas/api/scenario-result'
import { formatCount, formatNoun } from '@/lib/util/format'

/** vGPUs in use for which the steps together leave no place, of the types that a step takes from; null: not known. */
const unplacedCount = (step: ScenarioStepDto, types: ScenarioResult['types']): number | null => {
  if (step.do !== 'type' && step.do !== 'remove') return null
  const taken = types.filter(({ key, capacity }) =>
    step.do === 'type' ? key === step.from : capacity.after < capacity.before,
  )
  if (taken.length === 0) return null
  return taken.reduce((sum, { used, capacity }) => sum + Math.max(0, used - capacity.after), 0)
}

/**
 * The number of servers to move, and whether they fit, by number alone because the placement of each server is not
 * computed. Null: none.
 */
export const movingText = (
  step: ScenarioStepDto,
  { moving }: Pick<StepOutcomeDto, 'moving'>,
  types: ScenarioResult['types'],
): string | null => {
  if (moving === 0) return null
  const words = `${formatNoun(moving, 'vGPU')} in use would have to move`
  const short = unplacedCount(step, types)
  if (short === null) return `${words}.`
  if (short === 0) return `${words}. There is enough free capacity for ${moving === 1 ? 'it' : 'them'}.`
  return short >= moving
    ? `${words}. There is no free capacity for ${moving === 1 ? 'it' : 'them'}.`
    : `${words}. There is no free capacity for ${formatCount(short)} of them.`
}
