'use client'

import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog'
import { described, Field, Input } from '@/components/ui/input'
import { Tooltip } from '@/components/ui/tooltip'

type ReasonDialogProps = {
  label: string
  /** Names the row too: "Restore cmp-r2-07". */
  accessibleLabel?: string
  title: string
  confirmLabel: string
  size?: 'small' | 'body'
  tone?: 'danger' | 'main'
  /** Why the person may not do it. */
  refusal: string | null
  /** Why it cannot be confirmed yet, shown below the reason; null: it can. */
  missing?: string | null
  onConfirm: (reason: string) => Promise<unknown>
  children: ReactNode
}

/** A button whose action needs a reason for the audit. Names the consequences first, and closes when the action succeeded. */
export const ReasonDialog = (props: ReasonDialogProps) => {
  const { label, accessibleLabel = label, title, size = 'body', refusal, children } = props
  const [isOpen, setIsOpen] = useState(false)
  const button = (
    <Button size={size} aria-label={accessibleLabel} isUnavailable={refusal !== null}>
      {label}
    </Button>
  )
  if (refusal !== null) return <Tooltip content={refusal}>{button}</Tooltip>
  return (
    <Dialog open={isOpen} onOpenChange={setIsOpen}>
      <DialogTrigger asChild>{button}</DialogTrigger>
      <DialogContent title={title} description={null}>
        <ReasonForm {...props} onDone={() => setIsOpen(false)}>
          {children}
        </ReasonForm>
      </DialogContent>
    </Dialog>
  )
}

const ReasonForm = ({
  confirmLabel,
  tone = 'danger',
  missing = null,
  onConfirm,
  onDone,
  children,
}: ReasonDialogProps & { onDone: () => void }) => {
  const id = useId()
  const [reason, setReason] = useState('')
  const [isRunning, setIsRunning] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const isReady = reason.trim() !== '' && missing === null && !isRunning
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!isReady) return
    setIsRunning(true)
    setFailure(null)
    try {
      await onConfirm(reason.trim())
      onDone()
    } catch (err) {
      setFailure(err instanceof Error ? err.message : String(err))
      setIsRunning(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
      {children}
      <Field id={id} label="Reason" help={missing ?? 'Shown in the audit and in the list of removed hosts.'}>
        <Input
          {...described(id)}
          value={reason}
          maxLength={500}
          autoComplete="off"
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
      {failure === null ? null : (
        <p role="alert" className="text-bad">
          {failure}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant={tone} isUnavailable={!isReady}>
          {confirmLabel}
        </Button>
      </div>
    </form>
  )
}
