'use client'

import { Dialog, DialogContent } from '@/components/ui/dialog'
import type { FindingDetail } from '@/lib/schemas/api/finding'
import { AcknowledgeForm } from './acknowledge-form'
import { findingSentence } from './finding-words'

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
      description={`${findingSentence(finding)}. It leaves the open ones until the day that you set, or until it gets worse.`}
    >
      <AcknowledgeForm finding={finding} onDone={() => onOpenChange(false)} />
    </DialogContent>
  </Dialog>
)
