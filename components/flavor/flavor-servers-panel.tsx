import Link from 'next/link'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Panel } from '@/components/ui/panel'
import { Tag } from '@/components/ui/tag'
import type { FlavorFit } from '@/lib/schemas/api/flavor'
import { formatNoun } from '@/lib/util/format'
import { hostPath } from '@/lib/util/paths'

type Servers = NonNullable<FlavorFit['servers']>

const FEW = 10

const ServerItem = ({ server, cloud }: { server: Servers[number]; cloud: string | null }) => (
  <li className="wrap-anywhere">
    <b className="font-semibold">{server.name}</b>{' '}
    <span className="text-ink2">
      of {server.projectName}, {server.status.toLowerCase()}
      {server.host === null ? null : (
        <>
          {' '}
          on{' '}
          <Link
            href={hostPath({ cloud, host: server.host })}
            prefetch={false}
            className="whitespace-nowrap text-accent-ink underline"
          >
            {server.host}
          </Link>
        </>
      )}
    </span>{' '}
    {server.isCopyCurrent ? null : <Tag tone="warn">older copy</Tag>}
  </li>
)

/** Servers that were made from a flavor; each has a copy of what it was then. */
export const FlavorServersPanel = ({
  servers,
  cloud,
}: {
  servers: FlavorFit['servers']
  cloud: string | null
}) => {
  const [isAll, setIsAll] = useState(false)
  if (servers === null)
    return (
      <Panel title="Servers">
        <p className="text-ink2">Can’t tell: Nova’s servers were never read.</p>
      </Panel>
    )
  const old = servers.filter(({ isCopyCurrent }) => !isCopyCurrent).length
  return (
    <Panel title="Servers" note={`${formatNoun(servers.length, 'server')} made from it`}>
      {old === 0 ? null : (
        <p className="mb-1.5 text-ink2">
          {formatNoun(old, 'has', 'have')} a copy of what the flavor was before: a change of it reaches new
          servers, and those that are resized to it, only.
        </p>
      )}
      <ul className="flex flex-col gap-0.5">
        {servers.slice(0, isAll ? servers.length : FEW).map((server) => (
          <ServerItem key={server.uuid} server={server} cloud={cloud} />
        ))}
      </ul>
      {isAll || servers.length <= FEW ? null : (
        <Button size="small" className="mt-1.5" onClick={() => setIsAll(true)}>
          Show all {servers.length}
        </Button>
      )}
      {servers.length === 0 ? (
        <p className="text-ink3">No server on a host with GPUs was made from it.</p>
      ) : null}
    </Panel>
  )
}
