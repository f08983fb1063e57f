'use client'

import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog'
import { Tooltip } from '@/components/ui/tooltip'

/** A button whose action is asked about first, with its consequence named. Closes when the action went well. */
export const ConfirmButton = ({
  label,
  accessibleLabel,
  title,
  children,
  confirmLabel,
  onConfirm,
  refusal = null,
}: {
  label: string
  /** Names the row too: "Revoke the credential of cmp-r2-07". */
  accessibleLabel: string
  title: string
  children: ReactNode
  confirmLabel: string
  /** Resolves to null when done, else to what went wrong. */
  onConfirm: () => Promise<string | null>
  /** Why the person may not do it. */
  refusal?: string | null
}) => {
  const [isOpen, setIsOpen] = useState(false)
  const [isRunning, setIsRunning] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const confirm = async () => {
    setIsRunning(true)
    const problem = await onConfirm()
    setIsRunning(false)
    setFailure(problem)
    if (problem === null) setIsOpen(false)
  }
  if (refusal !== null)
    return (
      <Tooltip content={refusal}>
        <Button size="small" aria-label={accessibleLabel} isUnavailable>
          {label}
        </Button>
      </Tooltip>
    )
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(next) => {
        setIsOpen(next)
        setFailure(null)
      }}
    >
      <DialogTrigger asChild>
        <Button size="small" aria-label={accessibleLabel}>
          {label}
        </Button>
      </DialogTrigger>
      <DialogContent title={title} description={null}>
        <div className="flex flex-col gap-3">
          <div>{children}</div>
          {failure === null ? null : (
            <p role="alert" className="text-bad">
              {failure}
            </p>
          )}
          <div className="flex justify-end gap-2">
            <DialogClose asChild>
              <Button>Cancel</Button>
            </DialogClose>
            <Button variant="danger" isUnavailable={isRunning} onClick={() => void confirm()}>
              {confirmLabel}
            </Button>
          </div>
        </div>
      </DialogContent>
    </Dialog>
  )
}
