'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { usePathname, useRouter } from 'next/navigation'
import { Tag } from '@/components/ui/tag'
import { changeCountsOptions } from '@/lib/api/change-counts'
import { findingCountsOptions } from '@/lib/api/finding-counts'
import { accountOptions } from '@/lib/api/session'
import { isAllowed } from '@/lib/domain/access/permissions'
import type { Role } from '@/lib/schemas/roles'
import { classNames } from '@/lib/util/class-names'
import { formatCount, formatNoun } from '@/lib/util/format'
import {
  agentSettingsPath,
  capacityPath,
  changesPath,
  findingsPath,
  flavorsPath,
  gpusPath,
  hostsPath,
  overviewPath,
  quotasPath,
  sessionSettingsPath,
} from '@/lib/util/paths'
import { useCloud } from './use-cloud'

/** The number of open errors and warnings without an acknowledgement; hidden if there are none. */
const OpenFindingsCount = () => {
  const { cloud } = useCloud()
  const { data } = useQuery(findingCountsOptions({ cloud }))
  const { error, warning } = data?.open ?? { error: 0, warning: 0 }
  if (error + warning === 0) return null
  const words = [
    error === 0 ? null : formatNoun(error, 'error'),
    warning === 0 ? null : formatNoun(warning, 'warning'),
  ]
    .filter((part) => part !== null)
    .join(' and ')
  return (
    <>
      <span
        aria-hidden
        title={`${words} open`}
        className={classNames(
          'rounded-tag px-[5px] font-semibold text-tiny tabular-nums leading-[16px]',
          error > 0 ? 'bg-bad2 text-bad' : 'bg-warn2 text-warn',
        )}
      >
        {formatCount(error + warning)}
      </span>
      <span className="sr-only"> {words} open</span>
    </>
  )
}

/** Changes that run, else those that stand and keep their hosts closed; nothing while there are none. */
const ActiveChangesCount = () => {
  const { cloud } = useCloud()
  const { data } = useQuery(changeCountsOptions({ cloud }))
  const { running, stopped } = data ?? { running: 0, stopped: 0 }
  if (running + stopped === 0) return null
  const words = running > 0 ? `${formatCount(running)} running` : `${formatCount(stopped)} stopped`
  return (
    <>
      <Tag aria-hidden tone={running > 0 ? 'accent' : 'warn'}>
        {words}
      </Tag>
      <span className="sr-only"> {words}</span>
    </>
  )
}

const isUnder =
  (...starts: string[]) =>
  (pathname: string) =>
    starts.some((start) => pathname.startsWith(start))

/** The sections of the console. A section is listed for users with access to it. */
const rooms = [
  { name: 'Overview', path: overviewPath, isIn: (pathname: string) => pathname === '/', needs: 'fleet.read' },
  { name: 'GPUs', path: gpusPath, isIn: isUnder('/gpus'), needs: 'fleet.read' },
  {
    name: 'Hosts',
    path: hostsPath,
    isIn: isUnder('/hosts', '/migration', '/gpu-room', '/removed-hosts', '/vgpu-actions'),
    needs: 'fleet.read',
  },
  { name: 'Capacity', path: capacityPath, isIn: isUnder('/capacity'), needs: 'fleet.read' },
  { name: 'Flavors', path: flavorsPath, isIn: isUnder('/flavors'), needs: 'fleet.read' },
  { name: 'Quotas', path: quotasPath, isIn: isUnder('/quotas'), needs: 'fleet.read' },
  { name: 'Findings', path: findingsPath, isIn: isUnder('/findings'), needs: 'fleet.read' },
  { name: 'Changes', path: changesPath, isIn: isUnder('/changes'), needs: 'fleet.read' },
  { name: 'Settings', path: agentSettingsPath, isIn: isUnder('/settings'), needs: 'agent.list' },
  { name: 'Settings', path: sessionSettingsPath, isIn: isUnder('/settings'), needs: 'session.list' },
] as const

/** Of two doors to the same room the first that opens. */
const roomsFor = (role: Role) => {
  const open = rooms.filter(({ needs }) => isAllowed({ roles: [role], action: needs }))
  return open.filter((room, at) => open.findIndex(({ name }) => name === room.name) === at)
}

export const NavLinks = ({ onNavigate }: { onNavigate?: () => void }) => {
  const pathname = usePathname()
  const router = useRouter()
  const { cloud } = useCloud()
  const account = useQuery(accountOptions())
  return (
    <ul className="flex flex-col gap-px">
      {roomsFor(account.data?.role ?? 'admin').map(({ name, path, isIn }) => (
        <li key={name} className="last:mt-1.5 last:border-line last:border-t last:pt-1.5">
          <Link
            href={path({ cloud })}
            prefetch={false}
            onPointerEnter={() => router.prefetch(path({ cloud }))}
            onFocus={() => router.prefetch(path({ cloud }))}
            {...(isIn(pathname) ? { 'aria-current': 'page' } : {})}
            {...(onNavigate === undefined ? {} : { onClick: onNavigate })}
            className={classNames(
              'flex items-center justify-between rounded-control px-[9px] py-[5px]',
              isIn(pathname)
                ? 'bg-accent2 font-semibold text-accent-ink'
                : 'text-ink2 hover:bg-line2 hover:text-ink',
            )}
          >
            {name}
            {name === 'Findings' ? <OpenFindingsCount /> : null}
            {name === 'Changes' ? <ActiveChangesCount /> : null}
          </Link>
        </li>
      ))}
    </ul>
  )
}
