'use client'

import { useCloud } from '@/components/shell/use-cloud'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { toast } from '@/components/ui/toast-store'
import { muteFindingsOptions } from '@/lib/api/finding-mutes'
import { AcknowledgeForm } from './acknowledge-form'

/** Mutes all findings of a kind. */
export const MuteDialog = ({
  code,
  title,
  note,
  isOpen,
  onOpenChange,
}: {
  code: string
  title: string
  /** Of the current mute; empty: the kind is not muted. */
  note: string
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}) => {
  const { cloud } = useCloud()
  return (
    <Dialog open={isOpen} onOpenChange={onOpenChange}>
      <DialogContent
        title="Mute kind"
        description={`“${title}”: all findings of this kind, including new ones, do not count as open and send no webhooks until the date that you set.`}
      >
        <AcknowledgeForm
          note={note}
          noteHelp="Shown in the list of muted kinds and in the audit log."
          mutation={muteFindingsOptions({ cloud, code })}
          label="Mute"
          pendingLabel="Muting"
          onDone={() => {
            toast.done(`“${title}” is muted.`)
            onOpenChange(false)
          }}
        />
      </DialogContent>
    </Dialog>
  )
}
