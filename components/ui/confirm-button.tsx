'use client'

import { type ReactNode, useState } from 'react'
import { Button } from './button'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from './dialog'
import { Tooltip } from './tooltip'

/** A button whose action needs a confirmation that names its consequence. The dialog closes after success. */
export const ConfirmButton = ({
  label,
  accessibleLabel = label,
  title,
  children,
  confirmLabel,
  onConfirm,
  refusal = null,
  size = 'small',
  confirmVariant = 'danger',
}: {
  label: string
  /** In rows it names the row too: "Revoke the credential of cmp-r2-07". */
  accessibleLabel?: string
  title: string
  children: ReactNode
  confirmLabel: string
  /** Resolves when done; what it rejects with is shown. */
  onConfirm: () => Promise<unknown>
  /** Why the person may not do it. */
  refusal?: string | null
  /** `small` within rows, `body` in the header of a page. */
  size?: 'small' | 'body'
  /** `main` where the action takes nothing away. */
  confirmVariant?: 'danger' | 'main'
}) => {
  const [isOpen, setIsOpen] = useState(false)
  const [isRunning, setIsRunning] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const confirm = async () => {
    setIsRunning(true)
    setFailure(null)
    try {
      await onConfirm()
      setIsOpen(false)
    } catch (err) {
      setFailure(err instanceof Error ? err.message : String(err))
    } finally {
      setIsRunning(false)
    }
  }
  if (refusal !== null)
    return (
      <Tooltip content={refusal}>
        <Button size={size} aria-label={accessibleLabel} isUnavailable>
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
        <Button size={size} aria-label={accessibleLabel}>
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
            <Button variant={confirmVariant} isUnavailable={isRunning} onClick={() => void confirm()}>
              {confirmLabel}
            </Button>
          </div>
        </div>
      </DialogContent>
    </Dialog>
  )
}
