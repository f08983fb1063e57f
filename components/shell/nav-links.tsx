'use client'

import Link from 'next/link'
import { usePathname, useRouter } from 'next/navigation'
import { classNames } from '@/lib/util/class-names'
import { agentSettingsPath, gpusPath, hostsPath, overviewPath } from '@/lib/util/paths'
import { useCloud } from './use-cloud'

/** The rooms of the console. A room appears here when it exists. */
const rooms = [
  { name: 'Overview', path: overviewPath, isIn: (pathname: string) => pathname === '/' },
  { name: 'GPUs', path: gpusPath, isIn: (pathname: string) => pathname.startsWith('/gpus') },
  { name: 'Hosts', path: hostsPath, isIn: (pathname: string) => pathname.startsWith('/hosts') },
  { name: 'Settings', path: agentSettingsPath, isIn: (pathname: string) => pathname.startsWith('/settings') },
]

export const NavLinks = ({ onNavigate }: { onNavigate?: () => void }) => {
  const pathname = usePathname()
  const router = useRouter()
  const { cloud } = useCloud()
  return (
    <ul className="flex flex-col gap-px">
      {rooms.map(({ name, path, isIn }) => (
        <li key={name} className="last:mt-1.5 last:border-line last:border-t last:pt-1.5">
          <Link
            href={path({ cloud })}
            prefetch={false}
            onPointerEnter={() => router.prefetch(path({ cloud }))}
            onFocus={() => router.prefetch(path({ cloud }))}
            {...(isIn(pathname) ? { 'aria-current': 'page' } : {})}
            {...(onNavigate === undefined ? {} : { onClick: onNavigate })}
            className={classNames(
              'block rounded-control px-[9px] py-[5px]',
              isIn(pathname)
                ? 'bg-accent2 font-semibold text-accent-ink'
                : 'text-ink2 hover:bg-line2 hover:text-ink',
            )}
          >
            {name}
          </Link>
        </li>
      ))}
    </ul>
  )
}
