'use client'

import Link from 'next/link'
import { useRefusal } from '@/components/shell/use-refusal'
import { buttonStyle } from '@/components/ui/button'
import { stepInHand } from '@/lib/domain/plans/step-in-hand'
import type { ChangeDetail, ChangeStep } from '@/lib/schemas/api/change'
import { changeView } from './change-views'
import { planAgainPath } from './plan-again-path'
import { SkipStepDialog } from './skip-step-dialog'
import { StepRow } from './step-row'

const CAN_SKIP = ['waiting', 'blocked', 'failed']

/** The next manual step that writes nova.conf: a deployment tool may have to. */
const stepOfConfig = ({ steps, isByHand }: ChangeDetail): ChangeStep | undefined =>
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

/** Every step with its state, and what a person can do about one that is stuck. */
export const ChangeSteps = ({ change, cloud }: { change: ChangeDetail; cloud: string | null }) => {
  const refusal = useRefusal('change.run')
  const inHand = stepInHand(change)
  const config = stepOfConfig(change)
  const isOpen = change.state === 'running' || change.state === 'stopped' || change.state === 'undoing'
  return (
    <ol aria-label="Steps" className="overflow-hidden rounded-panel border border-line bg-panel">
      {change.steps.map((step) => (
        <StepRow
          key={step.position}
          step={asLeft(change, step)}
          changeId={change.id}
          cloud={cloud}
          isByHand={change.isByHand}
          isInHand={step === inHand}
          aid={step === config ? changeView(change.preview).configs?.(change.preview) : undefined}
          actions={
            isOpen && refusal === null && CAN_SKIP.includes(step.state) ? (
              <>
                <SkipStepDialog change={change} step={step} />
                {step.state === 'blocked' && !step.isUndo && change.input !== null ? (
                  <Link
                    href={planAgainPath(change.input, { cloud, preview: change.preview })}
                    className={buttonStyle({ size: 'small' })}
                  >
                    Plan again
                  </Link>
                ) : null}
              </>
            ) : undefined
          }
        />
      ))}
    </ol>
  )
}
