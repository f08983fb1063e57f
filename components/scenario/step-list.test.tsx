import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ScenarioStepDto } from '@/lib/schemas/api/scenario-inputs'
import type { StepOutcomeDto } from '@/lib/schemas/api/scenario-result'
import { StepList } from './step-list'
import { buildResult } from './testing/build-result'

const REMOVE: ScenarioStepDto = { do: 'remove', hosts: ['cmp-1'], date: null }
const OUTCOME: StepOutcomeDto = {
  ...{ problem: null, targets: [], moving: 0, text: null },
  perMonth: { amounts: [{ amount: '-292.40', currency: 'EUR' }], unpricedCards: 0, because: null },
}

const drawn = (isCounted: boolean, outcome: Partial<StepOutcomeDto> = {}): string =>
  renderToStaticMarkup(
    <StepList
      steps={[REMOVE]}
      result={buildResult({ outcomes: [{ ...OUTCOME, ...outcome }] })}
      isCounted={isCounted}
      cloud={null}
      onSteps={() => undefined}
    />,
  )

test('until steps are counted this is stated, and no outcome of others is shown', () => {
  const problem = 'No host is called so.'
  expect(drawn(true, { problem })).toContain(problem)
  expect(drawn(true, { problem })).not.toContain('Calculating')
  expect(drawn(false, { problem })).toContain('Calculating')
  expect(drawn(false, { problem })).not.toContain(problem)
})

test('a step shows its value, and an impossible one shows none', () => {
  expect(drawn(true)).toContain('EUR −292 per month')
  expect(drawn(true, { problem: 'No host.' })).not.toContain('per month')
})
