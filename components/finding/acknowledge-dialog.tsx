'use client'

import { Dialog, DialogContent } from '@/components/ui/dialog'
import { toast } from '@/components/ui/toast-store'
import { acknowledgeFindingOptions } from '@/lib/api/findings'
import type { FindingDetail } from '@/lib/schemas/api/finding'
import { AcknowledgeForm } from './acknowledge-form'
import { findingSentence } from './finding-labels'

export const AcknowledgeDialog = ({
  finding,
  isOpen,
  onOpenChange,
}: {
  finding: FindingDetail
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}) => (
  <Dialog open={isOpen} onOpenChange={onOpenChange}>
    <DialogContent
      title={`Acknowledge finding ${finding.id}`}
      description={`${findingSentence(finding)}. It is hidden from the open findings until the date that you set, or until its severity increases.`}
    >
      <AcknowledgeForm
        note={finding.acknowledgement?.note ?? ''}
        noteHelp="Shown with the finding and in the audit log."
        mutation={acknowledgeFindingOptions({ id: finding.id })}
        label="Acknowledge"
        pendingLabel="Acknowledging"
        onDone={() => {
          toast.done(`Finding ${finding.id} is acknowledged.`)
          onOpenChange(false)
        }}
      />
    </DialogContent>
  </Dialog>
)
