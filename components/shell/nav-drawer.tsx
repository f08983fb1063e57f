'use client'

import { Dialog, DrawerContent } from '@/components/ui/dialog'
import { AccountMenu } from './account-menu'
import { CloudSwitcher } from './cloud-switcher'
import { NavFooter } from './nav-footer'
import { NavLinks } from './nav-links'

export const NavDrawer = ({
  isOpen,
  onOpenChange,
}: {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}) => (
  <Dialog open={isOpen} onOpenChange={onOpenChange}>
    <DrawerContent title="Sliceboard">
      <nav aria-label="Console" className="flex flex-col gap-3.5">
        <CloudSwitcher />
        <NavLinks onNavigate={() => onOpenChange(false)} />
        <AccountMenu />
        <NavFooter onNavigate={() => onOpenChange(false)} />
      </nav>
    </DrawerContent>
  </Dialog>
)
