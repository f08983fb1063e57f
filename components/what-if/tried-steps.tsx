import Link from 'next/link'
import { Button, buttonStyle } from '@/components/ui/button'
import { CommandLine } from '@/components/ui/command-line'
import { Panel } from '@/components/ui/panel'
import type { WhatIf, WhatIfOutcome } from '@/lib/schemas/api/what-if'
import type { WhatIfStepInput } from '@/lib/schemas/api/what-if-inputs'
import { newTypePath } from '@/lib/util/paths'
import { movingText } from './moving-text'
import { stepText } from './step-text'

const TEXT_TITLES: Readonly<Record<WhatIfStepInput['do'], string>> = {
  type: '',
  add: 'Show order list',
  remove: 'Show commands to drain and disable the hosts',
  move: 'Show commands',
}

const Outcome = ({
  step,
  outcome,
  types,
  cloud,
}: {
  step: WhatIfStepInput
  outcome: WhatIfOutcome
  types: WhatIf['types']
  cloud: string | null
}) => {
  if (outcome.problem !== null)
    return <p className="text-bad">{outcome.problem} This step is not included below.</p>
  const moving = movingText(step, outcome, types)
  return (
    <>
      {moving === null ? null : <p className="text-warn">{moving}</p>}
      {outcome.targets.length === 0 ? null : (
        <p className="text-ink2 text-small">
          Least used:{' '}
          {outcome.targets
            .slice(0, 4)
            .map(({ host, address }) => `${host} ${address}`)
            .join(', ')}
          {outcome.targets.length > 4 ? ` and ${outcome.targets.length - 4} more` : ''}.
        </p>
      )}
      {step.do === 'type' ? (
        <Link
          className={buttonStyle({ size: 'small', className: 'mt-1.5' })}
          href={newTypePath({ cloud, gpus: outcome.targets, type: step.to })}
        >
          Create change
        </Link>
      ) : null}
      {outcome.text === null ? null : (
        <details className="mt-1">
          <summary className="cursor-pointer text-accent-ink">{TEXT_TITLES[step.do]}</summary>
          <CommandLine command={outcome.text} />
        </details>
      )}
    </>
  )
}

/** Steps have no ids, and two may be equal, so their indexes identify them. */
const rowsOf = (steps: readonly WhatIfStepInput[], { choices, outcomes }: WhatIf, isCounted: boolean) =>
  steps.map((step, index) => ({
    key: `step ${index}`,
    step,
    index,
    words: stepText(step, choices),
    outcome: isCounted ? outcomes[index] : undefined,
  }))

/** The steps of the scenario in order, with the effect of each and how it is done. */
export const TriedSteps = ({
  steps,
  data,
  isCounted,
  cloud,
  onRemove,
}: {
  steps: readonly WhatIfStepInput[]
  data: WhatIf
  /** Else the numbers are still those of the steps before, whose outcomes are not these steps’. */
  isCounted: boolean
  cloud: string | null
  onRemove: (index: number) => void
}) => (
  <Panel title="Scenario steps" note="applied in this order">
    <p role="status" className="text-warn empty:hidden">
      {isCounted ? null : 'Calculating. The numbers below do not include the latest change yet.'}
    </p>
    <ol className="m-0 list-none p-0">
      {rowsOf(steps, data, isCounted).map(({ key, step, index, words, outcome }) => {
        return (
          <li
            key={key}
            className="flex items-start gap-3 border-line2 border-t py-2 first:border-t-0 first:pt-0"
          >
            <div className="min-w-0 flex-1">
              <p className="font-[550] break-words">{words}</p>
              {outcome === undefined ? null : (
                <Outcome step={step} outcome={outcome} types={data.types} cloud={cloud} />
              )}
            </div>
            <Button size="small" onClick={() => onRemove(index)}>
              Remove<span className="sr-only">: {words}</span>
            </Button>
          </li>
        )
      })}
    </ol>
  </Panel>
)
