import { Check, Minus, Undo2, X } from 'lucide-react'
import Link from 'next/link'
import { type ReactNode, useState } from 'react'
import { Moment } from '@/components/shell/moment'
import { TimedText } from '@/components/shell/timed-text'
import { CopyButton } from '@/components/ui/copyable'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Tag } from '@/components/ui/tag'
import { runbookName } from '@/lib/domain/plans/runbook/runbook-name'
import type { ChangeStep } from '@/lib/schemas/api/change-steps'
import { classNames } from '@/lib/util/class-names'
import { changePath } from '@/lib/util/paths'
import { executorLabel, STEP_STATE_TONES } from './change-labels'

const STYLES: Readonly<Record<ChangeStep['state'], string>> = {
  pending: 'border-line text-ink3',
  running: 'border-accent bg-accent2 text-accent-ink',
  waiting: 'border-accent bg-accent2 text-accent-ink',
  blocked: 'border-warn bg-warn2 text-warn',
  done: 'border-accent bg-accent text-on-accent',
  failed: 'border-bad bg-bad2 text-bad',
  undone: 'border-line bg-cell text-ink2',
  skipped: 'border-line border-dashed text-ink3',
}

const Sign = ({ step: { state, position } }: { step: ChangeStep }) => {
  if (state === 'done') return <Check size={12} aria-hidden strokeWidth={3} />
  if (state === 'failed') return <X size={12} aria-hidden strokeWidth={3} />
  if (state === 'undone') return <Undo2 size={11} aria-hidden />
  if (state === 'skipped') return <Minus size={12} aria-hidden />
  return <>{position + 1}</>
}

/** The number of a step, or the sign of what became of it. */
const StepMark = ({ step }: { step: ChangeStep }) => (
  <span
    className={classNames(
      'inline-flex h-[19px] justify-self-start min-w-[19px] flex-none items-center justify-center rounded-full border-[1.5px] px-0.5 font-bold text-tiny',
      STYLES[step.state],
    )}
  >
    <Sign step={step} />
    <span className="sr-only"> Step {step.position + 1}</span>
  </span>
)

const Literal = ({ text, label }: { text: string; label: string }) => (
  <div className="flex items-start gap-1 rounded-control border border-line bg-bg py-1.5 pr-1.5 pl-3">
    <pre className="m-0 min-w-0 flex-1 whitespace-pre-wrap font-mono text-small wrap-anywhere">{text}</pre>
    <CopyButton text={text} label={label} />
  </div>
)

const NOTE_TONES: Partial<Record<ChangeStep['state'], string>> = { blocked: 'text-warn', failed: 'text-bad' }

/** Functions of the runbook that do what the step shows anyway. */
const SHOWN = /^(on_host|edit_nova_conf|remove_mdev|restart_nova) /

const Answer = ({ text }: { text: string }) => (
  <p className="wrap-anywhere">
    <TimedText text={text} isWhole />
  </p>
)

/** The command for the operator of the step: a function of the script in the script. */
const inScript = (
  { isUndo, position }: ChangeStep,
  { command, changeId }: { command: string; changeId: number },
) => {
  const [first = ''] = command.split('\n')
  return first.startsWith('openstack ')
    ? command
    : `sh ${runbookName({ id: changeId, format: 'sh' })}${isUndo ? ' undo' : ''} only ${position + 1}  # ${first}`
}

type NoteProps = { step: ChangeStep; changeId: number; cloud: string | null }

/** What a step did, or why it does not continue. */
const Note = ({ step, changeId, cloud }: NoteProps) => {
  const { state, note, wayOut, writerChangeId, answer } = step
  if (note === null) return answer === null || state === 'pending' ? null : <Answer text={answer} />
  const isCommand = state === 'waiting' && (wayOut === step.command || wayOut === step.undoCommand)
  const isShown = isCommand && !step.isUndo && SHOWN.test(step.command)
  return (
    <>
      <p className={classNames('wrap-anywhere', NOTE_TONES[state])}>
        <TimedText text={note} isWhole />
      </p>
      {wayOut === null || isShown ? null : isCommand ? (
        <Literal text={inScript(step, { command: wayOut, changeId })} label="Copy the command" />
      ) : (
        <p className="wrap-anywhere">{wayOut}</p>
      )}
      {writerChangeId === null ? null : (
        <Link href={changePath({ cloud, id: writerChangeId })} className="text-accent-ink hover:underline">
          Change {writerChangeId}
        </Link>
      )}
    </>
  )
}

/** One step: the literal calls before it runs, the answer after. */
export const StepRow = ({
  step,
  changeId,
  isByHand,
  isInHand,
  actions,
  aid,
  cloud = null,
}: {
  step: ChangeStep
  /** Null: it is not saved yet. */
  changeId: number | null
  isByHand: boolean
  /** The change is at this step. */
  isInHand: boolean
  actions?: ReactNode
  /** Additional information for the operator of a manual step. */
  aid?: ReactNode
  cloud?: string | null
}) => {
  // The texts of a closed step are not drawn: a page has many steps.
  const [isOpen, setIsOpen] = useState(isInHand)
  return (
    <li
      className={classNames('border-line2 border-b last:border-b-0', isInHand && 'bg-sel')}
      {...(isInHand ? { 'aria-current': 'step' } : {})}
    >
      <details
        open={isInHand}
        onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
        className="group"
      >
        <summary className="grid cursor-pointer grid-cols-[minmax(26px,auto)_minmax(0,1fr)] items-start gap-x-1.5 px-3.5 py-2.5 -outline-offset-2 hover:bg-line2 sm:grid-cols-[minmax(26px,auto)_minmax(0,1fr)_auto]">
          <StepMark step={step} />
          <span className="flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-0.5">
            <span className="min-w-0 font-[550] wrap-anywhere">{step.title}</span>
            <Tag>{executorLabel(step.doer, isByHand)}</Tag>
            {step.state === 'pending' || step.state === 'done' ? null : (
              <Tag tone={STEP_STATE_TONES[step.state]}>
                {step.isUndo && step.state !== 'undone' && step.state !== 'skipped'
                  ? `undo ${step.state}`
                  : step.state}
              </Tag>
            )}
            {step.note === null && step.answer !== null && step.state !== 'pending' ? (
              <span className="line-clamp-2 basis-full text-ink2 wrap-anywhere group-open:hidden">
                <TimedText text={step.answer} isWhole />
              </span>
            ) : null}
          </span>
          <span className="text-ink3 text-small max-sm:col-start-2">
            {step.changedAt === null ? null : <Moment at={step.changedAt} />}
          </span>
        </summary>
        {isOpen || isInHand ? (
          <div className="flex flex-col gap-2 px-3.5 pt-1 pb-3 text-ink2 sm:pl-[46px]">
            {changeId === null ? null : <Note step={step} changeId={changeId} cloud={cloud} />}
            <Literal text={step.calls.join('\n')} label={`Copy the calls of step ${step.position + 1}`} />
            {aid}
            {step.note !== null && step.answer !== null ? <Answer text={step.answer} /> : null}
            <KeyValues className="text-small max-sm:grid-cols-1 max-sm:gap-y-0">
              <KeyValue label="State at planning">
                <TimedText text={step.sees} isWhole />
              </KeyValue>
              <KeyValue label="Precondition">{step.precondition}</KeyValue>
              <KeyValue label="Check">{step.check}</KeyValue>
              <KeyValue label="Undo">{step.undo}</KeyValue>
            </KeyValues>
            {actions === undefined ? null : <div className="flex flex-wrap gap-2">{actions}</div>}
          </div>
        ) : null}
      </details>
    </li>
  )
}
