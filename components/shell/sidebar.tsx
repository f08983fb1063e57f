import { AccountMenu } from './account-menu'
import { CloudSwitcher } from './cloud-switcher'
import { Logo } from './logo'
import { NavLinks } from './nav-links'
import { TimeZoneNote } from './time-zone-note'

export const Sidebar = () => (
  <nav
    aria-label="Console"
    className="sticky top-0 flex h-screen flex-col gap-3.5 overflow-y-auto border-line border-r bg-panel px-2.5 py-3.5 max-lg:hidden print:hidden"
  >
    <div className="flex items-center gap-[9px] px-1.5 py-0.5 font-[650] text-[14px]">
      <Logo />
      Sliceboard
    </div>
    <CloudSwitcher />
    <NavLinks />
    <footer className="mt-auto flex flex-col gap-2">
      <AccountMenu />
      <TimeZoneNote />
    </footer>
  </nav>
)
