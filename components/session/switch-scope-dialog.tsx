'use client'

import { Dialog, DialogContent } from '@/components/ui/dialog'
import { overviewPath } from '@/lib/util/paths'
import { ChooseScopeStep } from './choose-scope-step'

/** Another project or the system, in the same session. The page is reloaded, because another role sees other data. */
export const SwitchScopeDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog open onOpenChange={(isOpen) => isOpen || onClose()}>
    <DialogContent title="Switch project" description="Your roles there determine what you can see and do.">
      <ChooseScopeStep onChosen={() => window.location.assign(overviewPath())} />
    </DialogContent>
  </Dialog>
)
