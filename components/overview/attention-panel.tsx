import Link from 'next/link'
import { useState } from 'react'
import { PlanLink } from '@/components/change/plan-link'
import { repairOf } from '@/components/finding/repair-of'
import { SubjectLink } from '@/components/finding/subject-link'
import { Age } from '@/components/shell/moment'
import { TimedText } from '@/components/shell/timed-text'
import { useCloud } from '@/components/shell/use-cloud'
import { buttonStyle } from '@/components/ui/button'
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
  const named = subjects.filter((subject) => texts.includes(subjectText(subject)))
  const shown = named.filter(
    (subject, at) => named.findIndex((one) => subjectText(one) === subjectText(subject)) === at,
  )
  return { subjects: shown, rest: count - named.length }
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

/** `isPlan`: it leads to the plan of a change. */
type Action = { path: string; label: string; isPlan: boolean }

/** The change that corrects the finding, if it has one subject and a change corrects its kind; else the page to read about it. */
export const actionOf = (attention: Attention, cloud: string | null): Action => {
  const { code, count, subjects } = attention
  const [subject] = subjects
  const isCorrectable = count === 1 && (subject?.kind === 'pgpu' || subject?.kind === 'flavor')
  const repair = isCorrectable
    ? repairOf({ code, subject, state: 'open', sourceToCorrect: null, command: null }, cloud)
    : null
  if (repair !== null) return { path: repair.path, label: repair.words, isPlan: true }
  const path = attentionPath(attention, cloud)
  return {
    path,
    isPlan: false,
    label: attention.isTracked ? `View ${count === 1 ? 'finding' : 'findings'}` : 'View details',
  }
}

const MAX_ROWS = 6

const ActionLink = ({ action: { path, label, isPlan }, sentence }: { action: Action; sentence: string }) =>
  isPlan ? (
    <PlanLink href={path} size="small" aria-label={`${label}: ${sentence}`}>
      {label}
    </PlanLink>
  ) : (
    <Link href={path} prefetch={false} className={buttonStyle({ size: 'small' })}>
      {label}
      <span className="sr-only">: {sentence}</span>
    </Link>
  )

const AttentionRow = ({ attention, cloud }: { attention: Attention; cloud: string | null }) => {
  const action = actionOf(attention, cloud)
  const count = findingCount(attention)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line2 border-t px-3.5 py-2">
      <div className="min-w-0 flex-1 basis-64">
        <Link
          href={attentionPath(attention, cloud)}
          prefetch={false}
          className="block pl-[15px] font-[550] -indent-[15px] hover:underline [&>.sign]:text-body"
        >
          <SeverityText severity={attention.severity}>
            <TimedText text={attention.sentence} />
          </SeverityText>
        </Link>
        <Subjects attention={attention} cloud={cloud} />
      </div>
      <span className="text-ink3 text-small tabular-nums">
        {count === 1 ? null : formatNoun(count, 'finding')}
        {count === 1 || attention.since === null ? null : ', '}
        {attention.since === null ? null : <Age at={attention.since} />}
      </span>
      <ActionLink action={action} sentence={attention.sentence} />
    </li>
  )
}

/** The kinds of open findings, the most urgent first, each with what corrects it. */
export const AttentionPanel = ({ attention }: { attention: Overview['attention'] }) => {
  const { cloud } = useCloud()
  const [isOpen, setIsOpen] = useState(false)
  const rest = attention.slice(MAX_ROWS)
  return (
    <Panel
      title="Needs attention"
      note={attentionNote(attention)}
      actions={
        attention.some(({ isTracked }) => isTracked) ? (
          <Link href={findingsPath({ cloud })} prefetch={false} className="text-small underline">
            View all findings
          </Link>
        ) : undefined
      }
    >
      {attention.length === 0 ? (
        <p className="text-ink2">No findings. On every host the GPUs match nova.conf.</p>
      ) : (
        <ul className="-mx-3.5">
          {attention.slice(0, MAX_ROWS).map((one) => (
            <AttentionRow key={one.code} attention={one} cloud={cloud} />
          ))}
        </ul>
      )}
      {rest.length === 0 ? null : (
        <details
          className="-mx-3.5 -mb-3 border-line2 border-t"
          onToggle={(event) => setIsOpen(event.currentTarget.open)}
        >
          <summary className="cursor-pointer px-3.5 py-2 text-ink2 text-small">
            {formatNoun(rest.length, 'more kind')} of findings
          </summary>
          <ul>
            {isOpen ? rest.map((one) => <AttentionRow key={one.code} attention={one} cloud={cloud} />) : null}
          </ul>
        </details>
      )}
    </Panel>
  )
}
