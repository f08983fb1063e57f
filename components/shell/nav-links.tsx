'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { usePathname, useRouter } from 'next/navigation'
import { accountOptions } from '@/lib/api/session'
import { isAllowed } from '@/lib/domain/access/permissions'
import type { Role } from '@/lib/schemas/roles'
import { classNames } from '@/lib/util/class-names'
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
import { ActiveChangesCount } from './active-changes-count'
import { OpenFindingsCount } from './open-findings-count'
import { useCloud } from './use-cloud'

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
