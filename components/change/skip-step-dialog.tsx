'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { FormFoot } from '@/components/form/form-foot'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog'
import { described, Field, Input } from '@/components/ui/input'
import { skipStepOptions } from '@/lib/api/changes'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { ChangeStep } from '@/lib/schemas/api/change-steps'

/** Leaves a step out, and asks why. */
export const SkipStepDialog = ({ change, step }: { change: ChangeDetail; step: ChangeStep }) => {
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
      <DialogTrigger asChild>
        <Button size="small" aria-label={`Skip step ${step.position + 1}`}>
          Skip
        </Button>
      </DialogTrigger>
      <DialogContent
        title={`Skip step ${step.position + 1}?`}
        description={stays ? 'What the step did stays as it is.' : 'The change goes on without it.'}
      >
        <form onSubmit={submit} className="flex flex-col gap-3">
          <Field id="skip-reason" label="Why" help="Shown with the step and in the audit.">
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
            label="Skip the step"
            pendingLabel="Skipping"
          />
        </form>
      </DialogContent>
    </Dialog>
  )
}
