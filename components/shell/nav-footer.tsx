'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { Tooltip } from '@/components/ui/tooltip'
import { helpPath } from '@/lib/util/help-paths'
import { helpTopic } from './help-topics'
import { shortcutsToggle } from './shortcuts-store'
import { TimeZoneSwitch } from './time-zone-switch'
import { useCloud } from './use-cloud'

const style =
  'inline-flex min-h-6 min-w-6 items-center justify-center rounded-control px-1 text-ink3 text-tiny hover:text-ink'

/** The zone of the times, the document about the page, and the shortcuts. */
export const NavFooter = ({ onNavigate }: { onNavigate?: () => void }) => {
  const pathname = usePathname()
  const { cloud } = useCloud()
  return (
    <div className="flex items-center gap-1">
      <TimeZoneSwitch />
      <span className="ml-auto flex items-center">
        <Link
          href={helpPath({ cloud, ...helpTopic(pathname) })}
          prefetch={false}
          {...(onNavigate === undefined ? {} : { onClick: onNavigate })}
          className={style}
        >
          Help
        </Link>
        <Tooltip content="Keyboard shortcuts">
          <button
            type="button"
            aria-label="Keyboard shortcuts"
            aria-keyshortcuts="?"
            onClick={() => shortcutsToggle.set(true)}
            className={style}
          >
            ?
          </button>
        </Tooltip>
      </span>
    </div>
  )
}
