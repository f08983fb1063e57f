'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { usePathname, useRouter } from 'next/navigation'
import { type ComponentType, useId } from 'react'
import { severityCounts } from '@/components/finding/severity-counts'
import { CountBadge } from '@/components/ui/count-badge'
import { changeCountsOptions } from '@/lib/api/change-counts'
import { findingCountsOptions } from '@/lib/api/finding-counts'
import { accountOptions } from '@/lib/api/session'
import { type Action, isAllowed } from '@/lib/domain/access/permissions'
import type { Role } from '@/lib/schemas/roles'
import { classNames } from '@/lib/util/class-names'
import { formatCount } from '@/lib/util/format'
import {
  agentSettingsPath,
  capacityPath,
  changesPath,
  findingsPath,
  flavorsPath,
  gpuServersPath,
  gpusPath,
  hostsPath,
  overviewPath,
  quotasPath,
  sessionSettingsPath,
} from '@/lib/util/paths'
import { scenariosPath } from '@/lib/util/planning-paths'
import { useCloud } from './use-cloud'

/** All open findings without an acknowledgement, as the page of findings counts them; hidden if there are none. */
const OpenFindingsCount = () => {
  const { cloud } = useCloud()
  const { data } = useQuery(findingCountsOptions({ cloud }))
  const open = data?.open ?? { error: 0, warning: 0, info: 0 }
  const count = open.error + open.warning + open.info
  if (count === 0) return null
  return (
    <CountBadge
      text={formatCount(count)}
      label={`${severityCounts(open)} open`}
      tone={open.error > 0 ? 'bad' : open.warning > 0 ? 'warn' : 'quiet'}
    />
  )
}

/** Loaded after the first paint, which does not wait for the count. */
const PendingRequestsCount = dynamic(
  () => import('./pending-requests-count').then((module) => module.PendingRequestsCount),
  { ssr: false },
)

/** Running changes, else stopped ones, which keep scheduling disabled on their hosts; hidden if there are none. */
const ActiveChangesCount = () => {
  const { cloud } = useCloud()
  const { data } = useQuery(changeCountsOptions({ cloud }))
  const { running, stopped } = data ?? { running: 0, stopped: 0 }
  if (running + stopped === 0) return null
  const text = running > 0 ? `${formatCount(running)} running` : `${formatCount(stopped)} stopped`
  return <CountBadge text={text} label={text} tone={running > 0 ? 'accent' : 'warn'} />
}

const isUnder =
  (...starts: string[]) =>
  (pathname: string) =>
    starts.some((start) => pathname.startsWith(start))

type NavLink = {
  name: string
  path: (input?: { cloud?: string | null }) => string
  isIn: (pathname: string) => boolean
  needs: Action
  Count?: ComponentType
}

/** Groups of links in their order. A link is listed for users with access to its page. */
const GROUPS: readonly { title: string | null; links: readonly NavLink[] }[] = [
  {
    title: null,
    links: [
      {
        name: 'Overview',
        path: overviewPath,
        isIn: (pathname) => pathname === '/',
        needs: 'fleet.read',
      },
      {
        name: 'Findings',
        path: findingsPath,
        isIn: isUnder('/findings'),
        needs: 'fleet.read',
        Count: OpenFindingsCount,
      },
      {
        name: 'Changes',
        path: changesPath,
        isIn: isUnder('/changes'),
        needs: 'fleet.read',
        Count: ActiveChangesCount,
      },
    ],
  },
  {
    title: 'Inventory',
    links: [
      { name: 'GPUs', path: gpusPath, isIn: isUnder('/gpus', '/types'), needs: 'fleet.read' },
      {
        name: 'Hosts',
        path: hostsPath,
        isIn: isUnder('/hosts', '/migration', '/gpu-room', '/removed-hosts', '/vgpu-actions'),
        needs: 'fleet.read',
      },
      { name: 'Servers', path: gpuServersPath, isIn: isUnder('/gpu-servers'), needs: 'fleet.read' },
    ],
  },
  {
    title: 'Planning',
    links: [
      { name: 'Capacity', path: capacityPath, isIn: isUnder('/capacity'), needs: 'fleet.read' },
      { name: 'Scenarios', path: scenariosPath, isIn: isUnder('/scenarios'), needs: 'fleet.read' },
    ],
  },
  {
    title: 'Access',
    links: [
      { name: 'Flavors', path: flavorsPath, isIn: isUnder('/flavors'), needs: 'fleet.read' },
      {
        name: 'Quotas',
        path: quotasPath,
        isIn: isUnder('/quotas'),
        needs: 'fleet.read',
        Count: PendingRequestsCount,
      },
    ],
  },
  {
    title: null,
    links: [
      { name: 'Settings', path: agentSettingsPath, isIn: isUnder('/settings'), needs: 'agent.list' },
      { name: 'Settings', path: sessionSettingsPath, isIn: isUnder('/settings'), needs: 'session.list' },
    ],
  },
]

/** Of two links with the same name the first that the role may open. */
const linksFor = (links: readonly NavLink[], role: Role): NavLink[] => {
  const open = links.filter(({ needs }) => isAllowed({ roles: [role], action: needs }))
  return open.filter((link, at) => open.findIndex(({ name }) => name === link.name) === at)
}

export const NavLinks = ({ onNavigate }: { onNavigate?: () => void }) => {
  const pathname = usePathname()
  const router = useRouter()
  const { cloud } = useCloud()
  const account = useQuery(accountOptions())
  const role = account.data?.role ?? 'admin'
  const headings = useId()
  return GROUPS.map(({ title, links }, at) => ({ title, links: linksFor(links, role), at }))
    .filter(({ links }) => links.length > 0)
    .map(({ title, links, at }) => (
      <div key={links[0]?.name}>
        {title === null ? null : (
          <h2 id={`${headings}-${at}`} className="px-[9px] pb-1 text-ink3 text-small">
            {title}
          </h2>
        )}
        <ul
          {...(title === null ? {} : { 'aria-labelledby': `${headings}-${at}` })}
          className="flex flex-col gap-px"
        >
          {links.map(({ name, path, isIn, Count }) => (
            <li key={name}>
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
                {Count === undefined ? null : <Count />}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    ))
}
