'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { accountOptions } from '@/lib/api/session'
import { isAllowed } from '@/lib/domain/permissions'
import { classNames } from '@/lib/util/class-names'
import {
  agentSettingsPath,
  apiTokenSettingsPath,
  cloudSettingsPath,
  sessionSettingsPath,
} from '@/lib/util/paths'
import { useCloud } from './use-cloud'

const parts = [
  { name: 'Agents', path: agentSettingsPath, needs: 'agent.list', isPersonal: false },
  { name: 'Cloud', path: cloudSettingsPath, needs: 'fleet.read', isPersonal: false },
  { name: 'Sessions', path: sessionSettingsPath, needs: 'session.list', isPersonal: true },
  { name: 'API tokens', path: apiTokenSettingsPath, needs: 'api-token.list', isPersonal: true },
] as const

/** The settings' own pages. Without sign-in nobody has sessions or tokens. */
export const SettingsNav = () => {
  const pathname = usePathname()
  const { cloud } = useCloud()
  const { data } = useQuery(accountOptions())
  const shown = parts.filter(
    ({ needs, isPersonal }) =>
      data !== undefined &&
      isAllowed({ roles: [data.role], action: needs }) &&
      !(isPersonal && data.mode === 'local'),
  )
  if (shown.length < 2) return null
  return (
    <nav aria-label="Settings" className="mb-3 border-line border-b print:hidden">
      <ul className="flex gap-1 overflow-x-auto">
        {shown.map(({ name, path }) => {
          const isHere = pathname === path()
          return (
            <li key={name}>
              <Link
                href={path({ cloud })}
                {...(isHere ? { 'aria-current': 'page' } : {})}
                className={classNames(
                  '-mb-px block whitespace-nowrap border-b-2 px-2.5 py-1.5',
                  isHere
                    ? 'border-accent font-semibold text-ink'
                    : 'border-transparent text-ink2 hover:text-ink',
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
