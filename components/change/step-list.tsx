'use client'

import Link from 'next/link'
import { useRefusal } from '@/components/shell/use-refusal'
import { buttonStyle } from '@/components/ui/button'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { ChangeStep } from '@/lib/schemas/api/change-steps'
import { changeView } from './change-views'
import { planAgainPath } from './plan-again-path'
import { SkipStepDialog } from './skip-step-dialog'
import { StepRow } from './step-row'

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

/** Steps with their state, and what a person can do about one that is stuck. */
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
  const refusal = useRefusal('change.run')
  const config = stepOfConfig(steps, change)
  const { input, preview } = change
  const again = input === null ? null : planAgainPath(input, { cloud, preview })
  const isOpen = change.state === 'running' || change.state === 'stopped' || change.state === 'undoing'
  return (
    <ol aria-label={label} className="overflow-hidden rounded-panel border border-line bg-panel">
      {steps.map((step) => (
        <StepRow
          key={step.position}
          step={asLeft(change, step)}
          changeId={change.id}
          cloud={cloud}
          isByHand={change.isByHand}
          isInHand={step.position === change.currentStep?.position}
          aid={step === config ? changeView(change.preview).configs?.(change.preview) : undefined}
          actions={
            isOpen && refusal === null && CAN_SKIP.includes(step.state) ? (
              <>
                <SkipStepDialog change={change} step={step} />
                {step.state === 'blocked' && !step.isUndo && again !== null ? (
                  <Link href={again} className={buttonStyle({ size: 'small' })}>
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
