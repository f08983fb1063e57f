'use client'

import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog'
import { toast } from '@/components/ui/toast-store'
import type { ShownSecret, WebhookDto } from '@/lib/schemas/api/webhook'
import { ShownSecretPanel } from './shown-secret'
import { WebhookForm } from './webhook-form'

type Props = { cloud: string; webhook?: never } | { cloud: null; webhook: WebhookDto }

/** Adds a webhook and shows its secret once, or changes one. */
export const WebhookDialog = ({ cloud, webhook }: Props) => {
  const [isOpen, setIsOpen] = useState(false)
  const [shown, setShown] = useState<ShownSecret | null>(null)
  const open = (next: boolean) => {
    setIsOpen(next)
    if (next) setShown(null)
  }
  const changed = (name: string) => {
    setIsOpen(false)
    toast.done(`The webhook "${name}" is changed.`)
  }
  return (
    <Dialog open={isOpen} onOpenChange={open}>
      <DialogTrigger asChild>
        {webhook === undefined ? (
          <Button variant="main">
            <Plus size={14} aria-hidden />
            Add webhook
          </Button>
        ) : (
          <Button size="small" aria-label={`Change the webhook ${webhook.name}`}>
            Change
          </Button>
        )}
      </DialogTrigger>
      <DialogContent
        width={shown === null ? 'normal' : 'wide'}
        title={
          shown !== null
            ? `The secret of "${shown.name}"`
            : webhook === undefined
              ? 'Add a webhook'
              : `Change "${webhook.name}"`
        }
        description={shown === null && webhook === undefined ? `It is told of events of ${cloud}.` : null}
      >
        {shown === null ? (
          <WebhookForm cloud={cloud} webhook={webhook ?? null} onCreated={setShown} onChanged={changed} />
        ) : (
          <>
            <ShownSecretPanel shown={shown} />
            <div className="mt-3 flex justify-end">
              <DialogClose asChild>
                <Button>Done</Button>
              </DialogClose>
            </div>
          </>
        )}
      </DialogContent>
    </Dialog>
  )
}
