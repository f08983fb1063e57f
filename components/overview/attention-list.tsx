'use client'

import Link from 'next/link'
import { SubjectLink } from '@/components/finding/subject-link'
import { TimedText } from '@/components/shell/timed-text'
import { useCloud } from '@/components/shell/use-cloud'
import { Panel } from '@/components/ui/panel'
import { SeverityText } from '@/components/ui/severity-text'
import { subjectText } from '@/lib/domain/finding-list/finding-labels'
import type { Overview } from '@/lib/schemas/api/fleet'
import { formatCount, formatNoun } from '@/lib/util/format'
import { findingsPath, gpusPath, hostPath, hostsPath } from '@/lib/util/paths'

const SHOWN_SUBJECTS = 3

type Attention = Overview['attention'][number]

/** A finding of a round links to the list of findings; else pGPUs and hosts link to their own lists. */
export const attentionPath = ({ code, subjects, isTracked }: Attention, cloud: string | null): string => {
  if (isTracked) return findingsPath({ cloud, search: { code } })
  if (subjects.some(({ kind }) => kind === 'pgpu')) return gpusPath({ cloud, search: { finding: code } })
  const [only, another] = subjects
  return only?.kind === 'host' && another === undefined
    ? hostPath({ cloud, host: only.host })
    : hostsPath({ cloud })
}

/** A console without reports is one finding, independent of the number of silent hosts in its sentence. */
const findingCount = ({ code, count }: Attention): number => (code === 'console-blind' ? 1 : count)

/** `15 findings of 9 kinds`; undefined when there is none. */
export const attentionNote = (attention: readonly Attention[]): string | undefined => {
  const findings = attention.reduce((sum, one) => sum + findingCount(one), 0)
  if (findings === 0) return undefined
  const kinds = findings === attention.length ? '' : ` of ${formatNoun(attention.length, 'kind')}`
  return `${formatNoun(findings, 'finding')}${kinds}`
}

/** Each subject once, though it may have several findings of a kind; `rest` counts the findings of others. */
export const shownSubjects = ({ subjects, count }: Pick<Attention, 'subjects' | 'count'>) => {
  const texts = [...new Set(subjects.map(subjectText))].slice(0, SHOWN_SUBJECTS)
  const told = subjects.filter((subject) => texts.includes(subjectText(subject)))
  const shown = told.filter(
    (subject, at) => told.findIndex((one) => subjectText(one) === subjectText(subject)) === at,
  )
  return { subjects: shown, rest: count - told.length }
}

const Subjects = ({ attention, cloud }: { attention: Attention; cloud: string | null }) => {
  const { subjects, rest } = shownSubjects(attention)
  if (subjects.length === 0) return null
  return (
    <p className="mt-0.5 break-words pl-[15px] text-ink3 text-small">
      {subjects.map((subject, at) => (
        <span key={subjectText(subject)}>
          {at === 0 ? '' : ', '}
          <SubjectLink subject={subject} cloud={cloud} />
        </span>
      ))}
      {rest > 0 ? ` and ${formatCount(rest)} more` : null}
    </p>
  )
}

export const AttentionList = ({ attention }: { attention: Overview['attention'] }) => {
  const { cloud } = useCloud()
  return (
    <Panel
      title="Needs attention"
      note={attentionNote(attention)}
      actions={
        attention.some(({ isTracked }) => isTracked) ? (
          <Link href={findingsPath({ cloud })} prefetch={false} className="text-small underline">
            All findings
          </Link>
        ) : undefined
      }
    >
      {attention.length === 0 ? (
        <p className="text-ink2">No findings. On every host the GPUs match nova.conf.</p>
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
                  <SeverityText severity={one.severity}>
                    <TimedText text={one.sentence} />
                  </SeverityText>
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
