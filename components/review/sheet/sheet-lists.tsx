import Link from 'next/link'
import type { ReactNode } from 'react'
import { SeverityText } from '@/components/ui/severity-text'
import type { ReviewContent } from '@/lib/schemas/api/review-content'
import { classNames } from '@/lib/util/class-names'
import { formatCount, formatLength, formatNoun } from '@/lib/util/format'
import { capacityPath, changesPath, findingsPath, hostsPath } from '@/lib/util/paths'
import { dayIn, formatFull, othersText, peakOf, sentenceIn, signed } from '../review-text'
import { sheetTexts } from '../sheet-texts'
import { SheetLines, SheetPart, SheetTable } from './sheet-parts'

type Props = { content: ReviewContent }

const lengthOf = (from: string, until: string): string => formatLength(Date.parse(until) - Date.parse(from))

const MORE = 'hover:underline print:text-inherit'

/** How many rows are left out, with the page that has all of them. */
const more = (count: number, noun: string, href: string): ReactNode[] =>
  count === 0
    ? []
    : [
        <Link key="more" href={href} prefetch={false} className={`text-accent-ink ${MORE}`}>
          {`and ${formatNoun(count, `more ${noun}`)}`}
        </Link>,
      ]

/** The history of the period, by types or projects. */
const historyOf = ({ cloud, period: { from, until } }: ReviewContent, by: 'type' | 'project'): string =>
  capacityPath({ cloud, search: { by, from, until } })

const isOfPeaks = ({ types: { rows } }: ReviewContent): boolean =>
  rows.some((row) => peakOf(row) !== undefined)

export const FullPart = ({ content, content: { types, version } }: Props) => (
  <SheetPart title="When will it be full?" note="at this growth">
    {types.rows.length === 0 ? (
      <p className="text-ink2">{sheetTexts(content).typesNone}</p>
    ) : (
      <SheetTable
        label="When will it be full?"
        head={['Type', isOfPeaks(content) ? '7-day peak' : 'Used', 'Full']}
        rows={types.rows.map((row) => {
          const { key, label, used, capacity, full } = row
          const { words, tone } = formatFull(full)
          const peak = peakOf(row)
          const highest = peak === undefined ? used : peak
          return {
            key,
            cells: [
              label,
              `${highest === null ? '–' : formatCount(highest)} / ${formatCount(capacity)}`,
              <span
                key="full"
                className={classNames(
                  tone === 'bad' && 'font-[550] text-bad',
                  tone === 'warn' && 'text-warn',
                  tone === 'muted' && 'text-ink3',
                )}
              >
                {words}
              </span>,
            ],
          }
        })}
      />
    )}
    {types.others === 0 ? null : (
      <p className="mt-1 text-ink3">
        {/* Version 1 names those with the least left; since then the full ones come first, whatever is left at the end. */}
        <Link href={historyOf(content, 'type')} prefetch={false} className={MORE}>
          {`${formatNoun(types.others, 'more type')}${version === 1 ? ' with more left' : othersText(types, sheetTexts(content))}`}
        </Link>
      </p>
    )}
    {isOfPeaks(content) && types.rows.some(({ full }) => full.kind === 'full') ? (
      <p className="mt-1 text-ink3 text-small">{sheetTexts(content).fullSince}</p>
    ) : null}
  </SheetPart>
)

export const ProjectsPart = ({ content, content: { projects } }: Props) => (
  <SheetPart title="Projects" note={sheetTexts(content).projectsNote}>
    {projects.rows === null ? (
      <p className="text-ink2">{sheetTexts(content).projectsUnknown}</p>
    ) : (
      <SheetLines
        none={sheetTexts(content).projectsNone}
        lines={[
          ...projects.rows.map(({ label, before, after }) => (
            <span key={label} className="flex justify-between gap-3">
              <span className="min-w-0 wrap-anywhere">{label}</span>
              <span className="tabular-nums">{signed(after - before)}</span>
            </span>
          )),
          ...more(projects.others, 'project', historyOf(content, 'project')),
        ]}
      />
    )}
  </SheetPart>
)

export const DonePart = ({ content: { version, cloud, done, period } }: Props) => {
  const { timeZone, knownUntil } = period
  const texts = sheetTexts({ version })
  return (
    <SheetPart title={texts.done}>
      <SheetLines
        none={texts.doneNone}
        lines={[
          ...done.changes.map(({ id, title, effect, isUndone, at }) => (
            <span key={id}>
              {dayIn(at, timeZone)}, change {id}: {title}
              {isUndone ? ' (rolled back)' : ''}{' '}
              {effect ? <b className="font-semibold">{signed(effect)}</b> : null}
            </span>
          )),
          ...more(done.others, 'change', changesPath({ cloud })),
          ...(done.orphans.mdevs === 0 ? [] : [texts.orphans(done.orphans.mdevs, done.orphans.hosts)]),
          ...done.silent.map(({ host, from, until }) => {
            const time = { day: dayIn(from, timeZone), length: lengthOf(from, until ?? knownUntil) }
            return until === null ? texts.silentSince(host, time) : texts.silentFor(host, time)
          }),
          ...more(done.otherSilent, texts.silence, hostsPath({ cloud })),
        ]}
      />
    </SheetPart>
  )
}

export const FindingsPart = ({ content: { version, cloud, findings, period } }: Props) => {
  const { error, warning, info } = findings.open
  const open = error + warning + info
  return (
    <SheetPart
      title="Findings"
      note={`${formatCount(findings.opened)} opened, ${formatCount(findings.closed)} closed, ${formatCount(open)} open`}
    >
      <SheetLines
        none={sheetTexts({ version }).findingsNone}
        lines={[
          ...findings.rows.map(({ severity, sentence, since }) => (
            <SeverityText key={sentence} severity={severity}>
              {`${sentenceIn(sentence, period.timeZone)}, since ${dayIn(since, period.timeZone)}`}
            </SeverityText>
          )),
          ...more(open - findings.rows.length, 'finding', findingsPath({ cloud })),
        ]}
      />
    </SheetPart>
  )
}

export const HelpPart = ({ content, content: { help } }: Props) => (
  <SheetPart title={sheetTexts(content).help}>
    <SheetLines
      none={sheetTexts(content).helpNone}
      lines={help.map(({ sentence, effect }) => (
        <span key={sentence}>
          {sentence} {effect === null ? null : <b className="font-semibold">{effect}</b>}
        </span>
      ))}
    />
  </SheetPart>
)
