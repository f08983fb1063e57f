'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { accountOptions } from '@/lib/api/session'
import { isAllowed } from '@/lib/domain/access/permissions'
import { classNames } from '@/lib/util/class-names'
import { catalogPath, overviewPath, ownServersPath, requestsPath } from '@/lib/util/paths'

const sections = [
  { name: 'GPU flavors', path: catalogPath() },
  { name: 'Servers', path: ownServersPath() },
  { name: 'Quota requests', path: requestsPath() },
]
const consoleSection = { name: 'Console', path: overviewPath() }

/** The pages for members of a project. */
export const TenantNav = () => {
  const pathname = usePathname()
  const { data: account } = useQuery(accountOptions())
  const isOverseer = account !== undefined && isAllowed({ roles: [account.role], action: 'fleet.read' })
  return (
    <nav aria-label="Project" className="min-w-0 max-sm:order-last max-sm:basis-full">
      <ul className="flex gap-1 overflow-x-auto max-sm:-mx-1 max-sm:pb-1.5">
        {[...sections, ...(isOverseer ? [consoleSection] : [])].map(({ name, path }) => {
          const isHere = pathname === path || pathname.startsWith(`${path}/`)
          return (
            <li key={name}>
              <Link
                href={path}
                prefetch={false}
                {...(isHere ? { 'aria-current': 'page' } : {})}
                className={classNames(
                  'block whitespace-nowrap rounded-control px-2.5 py-[5px]',
                  isHere
                    ? 'bg-accent2 font-semibold text-accent-ink'
                    : 'text-ink2 hover:bg-line2 hover:text-ink',
                )}
              >
                {name}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
