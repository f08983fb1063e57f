'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { SilentTag } from '@/components/shell/silent-tag'
import { useCloud } from '@/components/shell/use-cloud'
import { Panel } from '@/components/ui/panel'
import { freshnessOptions } from '@/lib/api/freshness'
import { formatNoun } from '@/lib/util/format'
import { gpusPath, hostPath } from '@/lib/util/paths'

const SHOWN = 6

/** Hosts that have not reported for too long. Left out while the console is blind: then it is not about the hosts. */
export const SilentHosts = () => {
  const { cloud } = useCloud()
  const { data } = useQuery(freshnessOptions({ cloud }))
  const hosts = data?.silentHosts ?? []
  if (hosts.length === 0 || data?.isBlind) return null
  return (
    <Panel
      title="Silent hosts"
      note={`${hosts.length} of ${data?.hostCount ?? 0}`}
      actions={
        <Link href={gpusPath({ cloud, search: { holds: 'silent' } })} className="text-small underline">
          View pGPUs
        </Link>
      }
    >
      <ul className="flex flex-col gap-1">
        {hosts.slice(0, SHOWN).map(({ host, seenAt }) => (
          <li key={host} className="flex items-baseline justify-between gap-3">
            <Link
              href={hostPath({ cloud, host })}
              prefetch={false}
              className="min-w-0 truncate hover:underline"
            >
              {host}
            </Link>
            <SilentTag seenAt={seenAt} />
          </li>
        ))}
      </ul>
      {hosts.length > SHOWN ? (
        <p className="mt-1 text-ink3 text-small">
          and {formatNoun(hosts.length - SHOWN, 'more host', 'more hosts')}
        </p>
      ) : null}
    </Panel>
  )
}
