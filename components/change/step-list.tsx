'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { FormFoot } from '@/components/form/form-foot'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog'
import { described, Field, Input } from '@/components/ui/input'
import { Tooltip } from '@/components/ui/tooltip'
import { skipStepOptions } from '@/lib/api/changes'
import { groupByPhase } from '@/lib/domain/plans/step-phase'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { ChangeStep } from '@/lib/schemas/api/change-steps'
import { changeView } from './change-views'
import { PhaseGroup } from './phase-group'
import { planAgainPath } from './plan-again-path'
import { PlanLink } from './plan-link'
import { StepRow } from './step-row'

/** Leaves a step out, and asks why. */
const SkipStepDialog = ({ change, step }: { change: ChangeDetail; step: ChangeStep }) => {
  const refusal = useRefusal('change.run')
  const [isOpen, setIsOpen] = useState(false)
  const [reason, setReason] = useState('')
  const skip = useMutation(skipStepOptions({ id: change.id, position: step.position }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    skip.mutate({ version: change.version, reason }, { onSuccess: () => setIsOpen(false) })
  }
  const stays = step.isUndo || change.state === 'undoing'
  return (
    <Dialog open={isOpen} onOpenChange={setIsOpen}>
      <Tooltip content={refusal}>
        <DialogTrigger asChild>
          <Button size="small" isUnavailable={refusal !== null} aria-label={`Skip step ${step.position + 1}`}>
            Skip
          </Button>
        </DialogTrigger>
      </Tooltip>
      <DialogContent
        title={`Skip step ${step.position + 1}?`}
        description={stays ? 'What the step did stays as it is.' : 'The change continues without it.'}
      >
        <form onSubmit={submit} className="flex flex-col gap-3">
          <Field id="skip-reason" label="Reason" help="Shown with the step and in the audit log.">
            <Input
              {...described('skip-reason')}
              required
              maxLength={500}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          </Field>
          <FormFoot
            error={skip.error?.message}
            isPending={skip.isPending}
            label="Skip step"
            pendingLabel="Skipping"
          />
        </form>
      </DialogContent>
    </Dialog>
  )
}

const CAN_SKIP = ['waiting', 'blocked', 'failed']

/** The next manual step that writes nova.conf: a deployment tool may have to. */
const stepOfConfig = (steps: readonly ChangeStep[], { isByHand }: ChangeDetail): ChangeStep | undefined =>
  steps.find(
    ({ id, doer, state, isUndo, wayOut, command }) =>
      id.startsWith('write-config/') &&
      !isUndo &&
      state !== 'done' &&
      state !== 'skipped' &&
      (isByHand || doer === 'operator' || wayOut === command),
  )

/** What a change that is over has not done waits for nothing any more. */
const asLeft = ({ state }: ChangeDetail, step: ChangeStep): ChangeStep =>
  (state === 'undone' || state === 'dropped') &&
  !step.hasEffect &&
  (step.state === 'waiting' || step.state === 'blocked')
    ? { ...step, state: 'pending', note: null, wayOut: null, writerChangeId: null, changedAt: null }
    : step

/** In progress, or in need of attention. */
const OPEN_STATES: readonly ChangeStep['state'][] = ['failed', 'blocked', 'waiting', 'running']

/** What the row of a phase shows of its steps. */
const phaseNumbers = (steps: readonly ChangeStep[], current: number | undefined) => ({
  steps: steps.length,
  ended: steps.filter(({ state }) => state === 'done' || state === 'skipped').length,
  changedAt:
    steps
      .flatMap(({ changedAt }) => changedAt ?? [])
      .toSorted()
      .at(-1) ?? null,
  isCurrent: steps.some(({ position, state }) => position === current || OPEN_STATES.includes(state)),
})

/**
 * Steps with their state by phase, and what a person can do about one that is stuck. While the change is active, only the
 * current phase is expanded.
 */
export const StepList = ({
  change,
  steps,
  cloud,
  label,
}: {
  change: ChangeDetail
  steps: readonly ChangeStep[]
  cloud: string | null
  label: string
}) => {
  const config = stepOfConfig(steps, change)
  const { input, preview } = change
  const again = input === null ? null : planAgainPath(input, { cloud, preview })
  const isOpen = change.state === 'running' || change.state === 'stopped' || change.state === 'undoing'
  const groups = groupByPhase(steps)
  const rowsOf = (some: readonly ChangeStep[]) =>
    some.map((step) => (
      <StepRow
        key={step.position}
        step={asLeft(change, step)}
        changeId={change.id}
        cloud={cloud}
        isByHand={change.isByHand}
        isInHand={step.position === change.currentStep?.position}
        aid={step === config ? changeView(change.preview).configs?.(change.preview) : undefined}
        actions={
          isOpen && CAN_SKIP.includes(step.state) ? (
            <>
              <SkipStepDialog change={change} step={step} />
              {step.state === 'blocked' && !step.isUndo && again !== null ? (
                <PlanLink href={again} size="small">
                  Plan again
                </PlanLink>
              ) : null}
            </>
          ) : undefined
        }
      />
    ))
  return (
    <ol aria-label={label} className="overflow-hidden rounded-panel border border-line bg-panel">
      {groups.length < 2
        ? rowsOf(steps)
        : groups.map(({ phase, steps: own }) => {
            const { isCurrent, ...numbers } = phaseNumbers(own, change.currentStep?.position)
            return (
              <PhaseGroup
                key={own[0]?.position}
                phase={phase}
                {...numbers}
                isCurrent={isOpen && isCurrent}
                isExpanded={!isOpen || isCurrent}
              >
                <ol className="border-line2 border-t">{rowsOf(own)}</ol>
              </PhaseGroup>
            )
          })}
    </ol>
  )
}
