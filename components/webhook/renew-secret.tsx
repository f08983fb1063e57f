'use client'

import { useMutation } from '@tanstack/react-query'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog'
import { renewWebhookSecretOptions } from '@/lib/api/webhooks'
import type { WebhookDto } from '@/lib/schemas/api/webhook'
import { ShownSecretPanel } from './shown-secret'

/** Asks first, then shows the new secret once. */
export const RenewSecret = ({ webhook: { id, name } }: { webhook: WebhookDto }) => {
  const renew = useMutation(renewWebhookSecretOptions())
  return (
    <Dialog onOpenChange={(isOpen) => isOpen && renew.reset()}>
      <DialogTrigger asChild>
        <Button size="small" aria-label={`New secret for the webhook ${name}`}>
          New secret
        </Button>
      </DialogTrigger>
      <DialogContent
        width={renew.data === undefined ? 'normal' : 'wide'}
        title={renew.data === undefined ? `Create a new secret for "${name}"?` : `The secret of "${name}"`}
        description={null}
      >
        <div className="flex flex-col gap-3">
          {renew.data === undefined ? (
            <p>
              All messages, including pending ones, are then signed with the new secret. Configure the new
              secret in the receiver, or it will reject them.
            </p>
          ) : (
            <ShownSecretPanel shown={renew.data} />
          )}
          {renew.isError ? (
            <p role="alert" className="text-bad">
              {renew.error.message}
            </p>
          ) : null}
          <div className="flex justify-end gap-2">
            <DialogClose asChild>
              <Button>{renew.data === undefined ? 'Cancel' : 'Done'}</Button>
            </DialogClose>
            {renew.data === undefined ? (
              <Button variant="danger" isUnavailable={renew.isPending} onClick={() => renew.mutate({ id })}>
                Create new secret
              </Button>
            ) : null}
          </div>
        </div>
      </DialogContent>
    </Dialog>
  )
}
