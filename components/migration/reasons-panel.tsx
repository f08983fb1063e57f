import Link from 'next/link'
import { asSentence } from '@/components/finding/finding-words'
import { TimedText } from '@/components/shell/timed-text'
import { Panel } from '@/components/ui/panel'
import { formatNoun } from '@/lib/util/format'
import { hostPath } from '@/lib/util/paths'
import type { CommonReason } from './way-words'

const MOST_REASONS = 8
const MOST_HOSTS = 4

/** The most frequent blockers: what to change to allow the most migrations. */
export const ReasonsPanel = ({
  reasons,
  cloud,
}: {
  reasons: readonly CommonReason[]
  cloud: string | null
}) => (
  <Panel title="What stands in the way" note="by number of hosts">
    {reasons.length === 0 ? (
      <p className="text-ink2">Nothing that the console can see.</p>
    ) : (
      <ul className="flex flex-col gap-2">
        {reasons.slice(0, MOST_REASONS).map(({ text, hosts }) => (
          <li key={text}>
            <p className="break-words">
              <TimedText text={asSentence(text)} />
            </p>
            <p className="flex flex-wrap gap-x-2 text-ink2 text-small">
              <span className="tabular-nums">{formatNoun(hosts.length, 'host')}:</span>
              {hosts.slice(0, MOST_HOSTS).map((host) => (
                <Link
                  key={host}
                  href={hostPath({ cloud, host })}
                  prefetch={false}
                  className="hover:text-accent-ink hover:underline"
                >
                  {host}
                </Link>
              ))}
              {hosts.length > MOST_HOSTS ? <span>and {hosts.length - MOST_HOSTS} more</span> : null}
            </p>
          </li>
        ))}
      </ul>
    )}
  </Panel>
)
