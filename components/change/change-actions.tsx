'use client'

import { useMutation } from '@tanstack/react-query'
import { TimedText } from '@/components/shell/timed-text'
import { useRefusal } from '@/components/shell/use-refusal'
import { useServerNow } from '@/components/shell/use-server-now'
import { Button } from '@/components/ui/button'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { toast } from '@/components/ui/toast-store'
import { Tooltip } from '@/components/ui/tooltip'
import { actOnChangeOptions } from '@/lib/api/changes'
import { type ChangeAction, nextChangeState, whyNotAct } from '@/lib/domain/plans/change-states'
import { whyNotStart } from '@/lib/domain/plans/change-terms'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import { isMoving, rollbackText } from './change-labels'

const useActing = (change: ChangeDetail) => {
  const refusal = useRefusal('change.run')
  const act = useMutation(actOnChangeOptions({ id: change.id }))
  const ask = (action: ChangeAction, isByHand = false) =>
    act.mutateAsync({ action, version: change.version, ...(action === 'start' ? { isByHand } : {}) })
  const now = useServerNow()
  const whyNotBegin = (action: ChangeAction, isByHand: boolean): string | null =>
    now !== null && nextChangeState(change.state, action) === 'running'
      ? whyNotStart(isByHand ? { ...change, window: null } : change, new Date(now))
      : null
  return {
    ask,
    isPending: act.isPending,
    refusalOf: (action: ChangeAction, isByHand = change.isByHand) =>
      refusal ?? whyNotAct(change.state, action) ?? whyNotBegin(action, isByHand),
  }
}

type Acting = ReturnType<typeof useActing>

const ActButton = ({
  acting,
  action,
  label,
  isMain = false,
  isByHand = false,
}: {
  acting: Acting
  action: ChangeAction
  label: string
  isMain?: boolean
  isByHand?: boolean
}) => {
  const refusal = acting.refusalOf(action, isByHand)
  const run = () => {
    acting.ask(action, isByHand).catch((err: unknown) => {
      toast.error('The change was not updated.', err instanceof Error ? err.message : null)
    })
  }
  return (
    <Tooltip content={refusal === null ? null : <TimedText text={refusal} isWhole />}>
      <Button
        variant={isMain ? 'main' : 'plain'}
        isUnavailable={refusal !== null || acting.isPending}
        onClick={run}
      >
        {label}
      </Button>
    </Tooltip>
  )
}

/** Start, pause before the next step, resume, roll back; an unavailable action shows the reason. */
export const ChangeActions = ({ change }: { change: ChangeDetail }) => {
  const acting = useActing(change)
  const { state } = change
  const isOver = state === 'undone' || state === 'dropped'
  return (
    <>
      {state === 'planned' || state === 'stopped' ? (
        <ConfirmButton
          label="Discard change"
          size="body"
          title={`Discard change ${change.id}?`}
          confirmLabel="Discard change"
          onConfirm={() => acting.ask('drop')}
          refusal={acting.refusalOf('drop')}
        >
          {state === 'planned'
            ? 'The plan stays in the list and can no longer be started.'
            : 'Completed steps stay in effect. The pGPUs are available for other changes.'}
        </ConfirmButton>
      ) : null}
      {state === 'planned' || isOver ? null : (
        <ConfirmButton
          label="Roll back"
          size="body"
          title={`Roll back change ${change.id}?`}
          confirmLabel="Roll back"
          onConfirm={() => acting.ask('roll-back')}
          refusal={acting.refusalOf('roll-back')}
        >
          {rollbackText(change)}
        </ConfirmButton>
      )}
      {state === 'planned' ? (
        <>
          <ActButton acting={acting} action="start" label="Run manually" isByHand />
          <ActButton acting={acting} action="start" label="Start" isMain />
        </>
      ) : null}
      {state === 'stopped' || state === 'undoing' ? (
        <ActButton
          acting={acting}
          action="go-on"
          label="Resume"
          isMain={state === 'stopped'}
          isByHand={change.isByHand}
        />
      ) : null}
      {isMoving(state) ? <ActButton acting={acting} action="stop" label="Pause" isMain /> : null}
    </>
  )
}
