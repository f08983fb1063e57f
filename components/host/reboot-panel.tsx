'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { Panel } from '@/components/ui/panel'
import { hostRebootOptions } from '@/lib/api/hosts'
import { formatNoun } from '@/lib/util/format'
import { hostRebootPath } from '@/lib/util/paths'
import { countFate, novaComputeWords } from './reboot-words'

/** The effects of a reboot in two lines, with a link to each server. */
export const RebootPanel = ({ host, cloud }: { host: string; cloud: string | null }) => {
  const { data, isError } = useQuery(hostRebootOptions({ cloud, host }))
  const preview = data?.preview ?? null
  const words = preview === null ? null : novaComputeWords(preview.novaCompute)
  const lost = preview === null ? 0 : countFate(preview, 'lost')
  return (
    <Panel title="After a reboot">
      {preview === null ? (
        <p className="text-ink2">
          {isError && data === undefined
            ? 'The preview could not be loaded.'
            : data === undefined
              ? 'Loading.'
              : 'Unknown: the guests or mdevs could not be read.'}
        </p>
      ) : (
        <p>
          {lost === 0 ? (
            `${formatNoun(preview.servers.length, 'server')} with a vGPU or GPU, none known to be lost.`
          ) : (
            <span className="font-[550] text-bad">
              {lost} of {formatNoun(preview.servers.length, 'server')} would not come back.
            </span>
          )}{' '}
          {words?.tone === 'plain' ? null : <span>{words?.title}.</span>}
        </p>
      )}
      <p className="mt-1">
        <Link href={hostRebootPath({ cloud, host })} prefetch={false} className="text-accent-ink underline">
          View servers
        </Link>
      </p>
    </Panel>
  )
}
