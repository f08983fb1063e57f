'use client'

import Link from 'next/link'
import { useCloud } from '@/components/shell/use-cloud'
import { Panel } from '@/components/ui/panel'
import { SeverityText } from '@/components/ui/severity-text'
import type { Overview } from '@/lib/schemas/api/fleet'
import { formatCount, formatNoun } from '@/lib/util/format'
import { gpuPath, gpusPath, hostPath, hostsPath } from '@/lib/util/paths'

const SHOWN_SUBJECTS = 3

type Attention = Overview['attention'][number]

/** pGPUs have a list that can be narrowed to one finding; a finding of hosts alone leads to the host or the hosts. */
export const attentionPath = ({ code, subjects }: Attention, cloud: string | null): string => {
  if (subjects.some(({ address }) => address !== null)) return gpusPath({ cloud, search: { finding: code } })
  const [only, another] = subjects
  return only !== undefined && another === undefined
    ? hostPath({ cloud, host: only.host })
    : hostsPath({ cloud })
}

/** Being blind is one finding about the console, whatever the number of silent hosts that its sentence names. */
const findingCount = ({ code, count }: Attention): number => (code === 'console-blind' ? 1 : count)

/** `15 findings of 9 kinds`; undefined when there is none. */
export const attentionNote = (attention: readonly Attention[]): string | undefined => {
  const findings = attention.reduce((sum, one) => sum + findingCount(one), 0)
  if (findings === 0) return undefined
  const kinds = findings === attention.length ? '' : ` of ${formatNoun(attention.length, 'kind')}`
  return `${formatNoun(findings, 'finding')}${kinds}`
}

/** The subjects that are named and how many more there are; null when the entry names none. */
export const subjectsNote = ({
  count,
  subjects,
}: Attention): { shown: Attention['subjects']; more: string } | null => {
  if (subjects.length === 0) return null
  const shown = subjects.slice(0, SHOWN_SUBJECTS)
  return { shown, more: count > shown.length ? ` and ${formatCount(count - shown.length)} more` : '' }
}

const Subjects = ({ attention, cloud }: { attention: Attention; cloud: string | null }) => {
  const note = subjectsNote(attention)
  if (note === null) return null
  return (
    <p className="mt-0.5 pl-[15px] text-ink3 text-small">
      {note.shown.map(({ host, address }, at) => (
        <span key={`${host} ${address}`}>
          {at === 0 ? '' : ', '}
          <Link
            href={address === null ? hostPath({ cloud, host }) : gpuPath({ cloud, host, address })}
            prefetch={false}
            className="hover:text-ink hover:underline"
          >
            {host}
            {address === null ? null : <span className="font-mono"> {address}</span>}
          </Link>
        </span>
      ))}
      {note.more}
    </p>
  )
}

export const AttentionList = ({ attention }: { attention: Overview['attention'] }) => {
  const { cloud } = useCloud()
  return (
    <Panel title="Needs attention" note={attentionNote(attention)}>
      {attention.length === 0 ? (
        <p className="text-ink2">Nothing. Every host says that its cards and its nova.conf agree.</p>
      ) : (
        <ul className="-mx-3.5 -mb-3">
          {attention.map((one) => (
            <li key={one.code} className="border-line2 border-t px-3.5 py-2">
              <div className="flex items-baseline gap-3">
                <Link
                  href={attentionPath(one, cloud)}
                  prefetch={false}
                  className="min-w-0 flex-1 pl-[15px] -indent-[15px] hover:underline [&>.sign]:text-body"
                >
                  <SeverityText severity={one.severity}>{one.sentence}</SeverityText>
                </Link>
                <span className="text-ink3 text-small tabular-nums">{formatCount(findingCount(one))}</span>
              </div>
              <Subjects attention={one} cloud={cloud} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
