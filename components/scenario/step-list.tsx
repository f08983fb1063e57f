import { useId } from 'react'
import { PlanLink } from '@/components/change/plan-link'
import { Button } from '@/components/ui/button'
import { CommandLine } from '@/components/ui/command-line'
import { Input } from '@/components/ui/input'
import type { ScenarioStepDto } from '@/lib/schemas/api/scenario-inputs'
import type { ScenarioResult, StepOutcomeDto } from '@/lib/schemas/api/scenario-result'
import { newTypePath } from '@/lib/util/paths'
import { movingText } from './moving-text'
import { stepNote, stepText } from './step-text'
import { valueText } from './value-text'

const TEXT_TITLES: Readonly<Record<ScenarioStepDto['do'], string>> = {
  type: '',
  add: 'Show order list',
  new: 'Show order list',
  remove: 'Show commands to drain and disable the hosts',
  move: 'Show commands',
}

const MAX_TARGETS = 4

const Outcome = ({
  step,
  outcome,
  types,
  cloud,
}: {
  step: ScenarioStepDto
  outcome: StepOutcomeDto
  types: ScenarioResult['types']
  cloud: string | null
}) => {
  if (outcome.problem !== null)
    return <p className="text-bad">{outcome.problem} This step is not included below.</p>
  const moving = movingText(step, outcome, types)
  const { targets } = outcome
  return (
    <>
      {moving === null ? null : <p className="text-small text-warn">{moving}</p>}
      {targets.length === 0 ? null : (
        <p className="text-ink2 text-small">
          Least used:{' '}
          {targets
            .slice(0, MAX_TARGETS)
            .map(({ host, address }) => `${host} ${address}`)
            .join(', ')}
          {targets.length > MAX_TARGETS ? ` and ${targets.length - MAX_TARGETS} more` : ''}.
        </p>
      )}
      {step.do === 'type' ? (
        <p className="mt-1.5">
          <PlanLink href={newTypePath({ cloud, gpus: targets, type: step.to })} size="small">
            Create change
          </PlanLink>
        </p>
      ) : null}
      {outcome.text === null ? null : (
        <details className="mt-1 text-small">
          <summary className="min-h-6 w-fit cursor-pointer py-[3px] text-accent-ink">
            {TEXT_TITLES[step.do]}
          </summary>
          <CommandLine command={outcome.text} />
        </details>
      )}
    </>
  )
}

const StepDate = ({
  step,
  text,
  onDate,
}: {
  step: ScenarioStepDto
  text: string
  onDate: (date: string | null) => void
}) => {
  const id = useId()
  return (
    <>
      <label htmlFor={id} className="sr-only">
        Date of: {text}
      </label>
      <Input
        id={id}
        type="date"
        className="w-[136px]"
        value={step.date ?? ''}
        onChange={(event) => onDate(event.target.value || null)}
      />
    </>
  )
}

/** Steps have no ids, and two may be equal, so their indexes identify them. */
const rowsOf = (
  steps: readonly ScenarioStepDto[],
  { choices, outcomes }: ScenarioResult,
  isCounted: boolean,
) =>
  steps.map((step, index) => ({
    key: `step ${index}`,
    step,
    index,
    text: stepText(step, choices),
    outcome: isCounted ? outcomes[index] : undefined,
  }))

/** The steps of a scenario in the order of their dates, with the effect of each and how it is done. */
export const StepList = ({
  steps,
  result,
  isCounted,
  cloud,
  onSteps,
}: {
  steps: readonly ScenarioStepDto[]
  result: ScenarioResult
  /** Else the numbers are still those of the steps before, whose outcomes are not these steps’. */
  isCounted: boolean
  cloud: string | null
  onSteps: (steps: ScenarioStepDto[]) => void
}) => (
  <>
    <p role="status" className="text-small text-warn empty:hidden">
      {isCounted ? null : 'Calculating. The numbers below do not include the latest change yet.'}
    </p>
    <ol className="m-0 list-none p-0">
      {rowsOf(steps, result, isCounted).map(({ key, step, index, text, outcome }) => {
        const note = stepNote(step)
        return (
          <li
            key={key}
            className="flex flex-wrap items-start gap-x-3 gap-y-1.5 border-line2 border-t py-2 first:border-t-0"
          >
            <span
              aria-hidden
              className="mt-px inline-flex size-5 shrink-0 items-center justify-center rounded-full border border-line text-ink3 text-tiny"
            >
              {index + 1}
            </span>
            <div className="min-w-0 flex-1 basis-52">
              <p className="font-[550] break-words">{text}</p>
              {note === null ? null : <p className="text-ink2 text-small">{note}</p>}
              {outcome === undefined ? null : (
                <Outcome step={step} outcome={outcome} types={result.types} cloud={cloud} />
              )}
            </div>
            <div className="ml-auto flex flex-col items-end gap-1">
              <div className="flex gap-2">
                <StepDate
                  step={step}
                  text={text}
                  onDate={(date) =>
                    onSteps(steps.map((each, at) => (at === index ? { ...each, date } : each)))
                  }
                />
                <Button size="small" onClick={() => onSteps(steps.filter((_, at) => at !== index))}>
                  Remove<span className="sr-only">: {text}</span>
                </Button>
              </div>
              {outcome === undefined || outcome.problem !== null ? null : (
                <span className="text-ink2 text-small" title={outcome.perMonth.because ?? undefined}>
                  {valueText(outcome.perMonth)}
                </span>
              )}
            </div>
          </li>
        )
      })}
    </ol>
  </>
)
