'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useState } from 'react'
import { Moment } from '@/components/shell/moment'
import { useCloud } from '@/components/shell/use-cloud'
import { removalSuggestionsOptions } from '@/lib/api/host-removal'
import type { RemovalSuggestion } from '@/lib/schemas/api/host-removal'
import { formatNoun } from '@/lib/util/format'
import { agentSettingsPath, hostPath } from '@/lib/util/paths'
import { MergeHostButton } from './merge-host-button'
import { RemoveHostsButton } from './remove-hosts-button'

const box =
  'mb-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-panel border border-line bg-panel px-3.5 py-2.5'

const ChooseHosts = ({
  hosts,
  left,
  onChange,
}: {
  hosts: readonly RemovalSuggestion[]
  left: ReadonlySet<string>
  onChange: (left: ReadonlySet<string>) => void
}) => (
  <fieldset>
    <legend className="mb-1 font-[550] text-small">Hosts</legend>
    <ul className="max-h-48 overflow-y-auto rounded-control border border-line px-2 py-1">
      {hosts.map(({ host, silentSince, hasReported }) => (
        <li key={host}>
          <label className="flex min-h-6 items-center gap-2">
            <input
              type="checkbox"
              checked={!left.has(host)}
              onChange={({ target }) =>
                onChange(
                  new Set(target.checked ? [...left].filter((name) => name !== host) : [...left, host]),
                )
              }
            />
            {host}
            <span className="ml-auto text-ink2 text-small">
              {hasReported ? 'last seen' : 'never reported, enrolled'} <Moment at={silentSince} />
            </span>
          </label>
        </li>
      ))}
    </ul>
  </fieldset>
)

/** On the list of hosts: hosts that have been silent for so long that they probably no longer exist. */
export const RemovalNotice = () => {
  const { cloud } = useCloud()
  const { data } = useQuery(removalSuggestionsOptions({ cloud }))
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const renamed = data?.hosts.filter(({ continuedBy }) => continuedBy !== null) ?? []
  const gone = data?.hosts.filter(({ continuedBy }) => continuedBy === null) ?? []
  if (data === undefined || data.hosts.length === 0) return null
  return (
    <div role="note" className={box}>
      <div className="min-w-0 flex-1">
        {gone.length === 0 ? null : (
          <p>
            {formatNoun(gone.length, 'host')} {gone.length === 1 ? 'has' : 'have'} not reported for{' '}
            {data.afterDays} days. Remove hosts that no longer exist.
          </p>
        )}
        {renamed.map(({ host, continuedBy }) => (
          <p key={host}>
            <Link href={hostPath({ cloud, host: continuedBy ?? '' })} className="underline">
              {continuedBy}
            </Link>{' '}
            reports the GPUs of {host}, which is silent. Merge them if the host was renamed.
          </p>
        ))}
      </div>
      {gone.length === 0 ? null : (
        <RemoveHostsButton
          label="Remove hosts"
          hosts={gone.map(({ host }) => host).filter((host) => !left.has(host))}
        >
          <ChooseHosts hosts={gone} left={left} onChange={setLeft} />
        </RemoveHostsButton>
      )}
    </div>
  )
}

/** Another agent wants to enroll under the name of this host. */
const EnrollmentNotice = ({ host }: { host: string }) => {
  const { cloud } = useCloud()
  return (
    <div role="note" className={box}>
      <p>
        An agent requests to enroll as {host} and waits for approval.{' '}
        <Link href={agentSettingsPath({ cloud })} className="underline">
          Review enrollment requests
        </Link>
      </p>
    </div>
  )
}

/** The notices above the page of a host. */
export const HostNotices = ({
  host,
  isEnrollmentWaiting,
}: {
  host: string
  isEnrollmentWaiting: boolean
}) => (
  <>
    {isEnrollmentWaiting ? <EnrollmentNotice host={host} /> : null}
    <RenameNotice host={host} />
  </>
)

/** On a host's page: it was probably renamed, under its old and its new name. */
const RenameNotice = ({ host }: { host: string }) => {
  const { cloud } = useCloud()
  const { data } = useQuery(removalSuggestionsOptions({ cloud }))
  const now = data?.hosts.find((one) => one.host === host)?.continuedBy ?? null
  const before = data?.hosts.find(({ continuedBy }) => continuedBy === host)
  if (now !== null)
    return (
      <div role="note" className={box}>
        <p>
          <Link href={hostPath({ cloud, host: now })} className="underline">
            {now}
          </Link>{' '}
          reports the GPUs of this host. Open {now} to merge the history if the host was renamed.
        </p>
      </div>
    )
  if (before === undefined) return null
  return (
    <div role="note" className={box}>
      <p className="min-w-0 flex-1">
        This host reports the GPUs of {before.host}, which was last seen <Moment at={before.silentSince} />.
        Merge the history if the host was renamed or reinstalled.
      </p>
      <MergeHostButton host={host} from={before.host} size="body" />
    </div>
  )
}
