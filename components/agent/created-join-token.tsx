'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { QueryProblem } from '@/components/shell/load-problem'
import { CopyLine } from '@/components/ui/copyable'
import { agentSettingsOptions } from '@/lib/api/agents'
import type { AgentSettings, CreatedJoinToken } from '@/lib/schemas/api/agents'
import { hostPath } from '@/lib/util/paths'

/** Hosts that enrolled after the token was made, newest first. */
const joinedSince = (settings: AgentSettings, token: CreatedJoinToken) =>
  settings.agents
    .filter((agent) => agent.enrolledAt >= token.createdAt && agent.state !== 'revoked')
    .filter((agent) => token.hostName === null || agent.host === token.hostName)
    .toSorted((a, b) => b.enrolledAt.localeCompare(a.enrolledAt))

const JoinProgress = ({ token, cloud }: { token: CreatedJoinToken; cloud: string | null }) => {
  const query = useQuery({ ...agentSettingsOptions({ cloud }), refetchInterval: 2000 })
  const { data } = query
  const joined = data === undefined ? [] : joinedSince(data, token)
  return (
    <>
      <QueryProblem
        query={query}
        title="Whether a host has joined can’t be asked now"
        titleOfOld="Whether a host has joined can’t be asked now"
      />
      <div role="status" className="rounded-control border border-line bg-bg px-3 py-2">
        {joined.length === 0 ? (
          <p className="text-ink2">
            Waiting for the first report. It comes a few seconds after the line has run.
          </p>
        ) : (
          <ul className="flex flex-col gap-0.5">
            {joined.slice(0, 6).map((agent) => (
              <li key={agent.credentialId}>
                {agent.state === 'never-reported' ? (
                  <span>
                    <b className="font-semibold">{agent.host}</b> has joined, no report yet
                  </span>
                ) : (
                  <span>
                    <Link
                      href={hostPath({ cloud, host: agent.host })}
                      className="font-semibold text-accent-ink underline"
                    >
                      {agent.host}
                    </Link>{' '}
                    reports
                  </span>
                )}
              </li>
            ))}
            {joined.length > 6 ? <li className="text-ink2">and {joined.length - 6} more</li> : null}
          </ul>
        )}
      </div>
    </>
  )
}

/** The one copied line. The token stands nowhere else and is not shown again. */
export const CreatedJoinTokenPanel = ({
  token,
  cloud,
}: {
  token: CreatedJoinToken
  cloud: string | null
}) => (
  <div className="flex flex-col gap-3">
    <p>Run this line on each compute host, as a user who may use sudo:</p>
    <CopyLine text={token.installCommand} label="Copy the install line" takesFocus />
    <p className="text-ink2 text-small">
      The token in it is not shown again. Any host name that it is used for can report as that host, so pass
      it on like a password. It works until it expires, was used {token.maxUses}{' '}
      {token.maxUses === 1 ? 'time' : 'times'}, or you revoke it.
    </p>
    <details className="text-ink2 text-small">
      <summary className="cursor-pointer text-ink">What the line does</summary>
      <ul className="mt-1 flex list-disc flex-col gap-0.5 pl-4">
        <li>downloads the agent from this console and checks its SHA-256 before anything is installed;</li>
        <li>
          installs one file, <code>/etc/sliceboard/agent.toml</code> (an existing one is kept) and a systemd
          unit;
        </li>
        <li>trades the token for a credential of this host, kept in a file that only root reads.</li>
        <li>
          To read the script first, leave <code>| sudo sh …</code> out. To take the agent off again, run it
          with <code>--uninstall</code>. Running it twice is safe.
        </li>
      </ul>
    </details>
    <JoinProgress token={token} cloud={cloud} />
  </div>
)
