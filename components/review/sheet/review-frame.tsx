import { actorLabel } from '@/lib/domain/wording'
import type { Review } from '@/lib/schemas/api/review'
import type { ReviewContent } from '@/lib/schemas/api/review-content'
import { formatCount, formatNoun, formatPercent } from '@/lib/util/format'
import {
  filterLabel,
  footLines,
  formatGrowth,
  hourIn,
  momentIn,
  periodTitle,
  shortFingerprint,
  unseenNote,
} from '../review-text'
import { sheetTexts } from '../sheet-texts'
import { type DrawMarks, PeriodChart } from './period-chart'
import { DonePart, FindingsPart, FullPart, HelpPart, ProjectsPart } from './sheet-lists'
import { SheetFigure, SheetPart } from './sheet-parts'

const count = (value: number | null | undefined): string | null =>
  value === null || value === undefined ? null : formatCount(Math.round(value))

const refusedNote = ({ version, refused: { servers, groups } }: ReviewContent): string => {
  const [first] = groups
  if (first === undefined) return 'no server with a GPU'
  const who = first.flavor ?? 'unknown flavor'
  const share = first.servers === servers ? 'all' : formatCount(first.servers)
  return `${share} of them ${who}: ${sheetTexts({ version }).refused[first.reason]}`
}

const strandedNote = ({ version, end, stranded: [first] }: ReviewContent): string => {
  const texts = sheetTexts({ version })
  if (end === null || end.stranded === null) return texts.strandedUnknown
  if (end.stranded === 0) return texts.strandedNone
  if (first === undefined || first.because === null) return texts.strandedNoReason
  return `${formatCount(first.vgpus)}: ${first.because}`
}

/** The figures under the head of a review. */
const SheetFigures = ({
  content,
  usageNotes,
  idleNotes,
  refusedNotes,
}: {
  content: ReviewContent
  /** Notes under the utilization and the number of idle vGPUs; each version of the content has different ones. */
  usageNotes: readonly (string | null)[]
  idleNotes: readonly (string | null)[]
  /** Under the number of refused servers, after the most refused flavor. */
  refusedNotes: readonly (string | null)[]
}) => {
  const { end, peak, average, period, idle, utilisation: utilization, refused } = content
  const isPreview = period.knownUntil !== period.until
  const texts = sheetTexts(content)
  return (
    <dl
      aria-label="Figures"
      className="mb-3 grid grid-cols-2 gap-y-3 sm:grid-cols-3 xl:grid-cols-[0.98fr_0.9fr_1.2fr_1.6fr_2.2fr_1fr] print:mb-3 print:grid-cols-6"
    >
      <SheetFigure
        label={isPreview ? 'Capacity now' : 'Capacity at the end'}
        value={count(end?.capacity)}
        unit="vGPUs"
        notes={[
          formatGrowth(content),
          end === null ? texts.capacityUnknown : unseenNote(end, texts),
          end !== null && 'passthrough' in end && end.passthrough.capacity > 0
            ? `and ${formatNoun(end.passthrough.capacity, 'passthrough GPU')}, ${formatCount(end.passthrough.used)} in use`
            : null,
        ]}
      />
      <SheetFigure
        label="Peak use"
        value={count(peak?.used)}
        unit={peak === null ? null : formatPercent(peak.used, peak.capacity)}
        notes={[
          peak === null ? texts.noPeak : hourIn(peak.at, period.timeZone),
          average.used === null ? null : `${count(average.used)} on average`,
        ]}
      />
      <SheetFigure
        label={texts.utilization}
        value={utilization.isKnown ? count(utilization.average) : null}
        unit="% on average"
        notes={usageNotes}
      />
      <SheetFigure
        label="Refused"
        value={count(refused.servers)}
        unit={refused.servers === 1 ? 'server' : 'servers'}
        isWarning={refused.servers > 0}
        notes={[refusedNote(content), ...refusedNotes]}
      />
      <SheetFigure
        label="Allocated but idle"
        value={idle.isKnown ? count(idle.vgpus) : null}
        unit="vGPUs"
        notes={idleNotes}
      />
      <SheetFigure
        label="Stranded"
        value={count(end?.stranded)}
        unit="vGPUs"
        isWarning={(end?.stranded ?? 0) > 0}
        notes={[strandedNote(content)]}
      />
    </dl>
  )
}

type Props = Pick<Review, 'region' | 'frozen' | 'closesAt'> & { content: ReviewContent }

const Made = ({ frozen, content, closesAt }: Props) => {
  const { timeZone, knownUntil } = content.period
  const texts = sheetTexts(content)
  if (frozen === null)
    return (
      <p className="text-small text-warn sm:text-right">
        {texts.preview}
        <br />
        {texts.previewUntil(momentIn(knownUntil, timeZone))}
        {closesAt === null ? null : `, closes ${momentIn(closesAt, timeZone)}`}
      </p>
    )
  return (
    <p className="text-ink2 text-small sm:text-right">
      {texts.made(momentIn(frozen.madeAt, timeZone), actorLabel(frozen.madeBy))}
      <br />
      <span className="font-mono" title={`${texts.fingerprint}: ${frozen.fingerprint}`}>
        {shortFingerprint(frozen.fingerprint)}
      </span>
    </p>
  )
}

type FrameProps = Props & {
  drawMarks: DrawMarks
  usageNotes: readonly (string | null)[]
  idleNotes: readonly (string | null)[]
  refusedNotes?: readonly (string | null)[]
}

/** What the sheets of all versions have in common; it shows a content of version 1 as it always did. */
export const ReviewFrame = (props: FrameProps) => {
  const { content, region, frozen, closesAt, drawMarks, usageNotes, idleNotes, refusedNotes = [] } = props
  const name = periodTitle(content.period)
  const step =
    content.chart.stepSeconds === 3600 ? 'hourly peak' : `peaks of ${content.chart.stepSeconds / 3600} hours`
  return (
    <article
      aria-label={`GPU capacity, ${name}`}
      className="review-sheet mx-auto max-w-[1200px] rounded-panel border border-line bg-panel px-4 py-4 sm:px-7 print:max-w-none print:rounded-none print:border-0 print:p-0"
    >
      <header className="mb-3.5 flex flex-wrap items-start justify-between gap-x-6 gap-y-1 border-line border-b pb-2.5">
        <div>
          <h2 className="m-0 font-[650] text-title tracking-[-0.015em]">GPU capacity, {name}</h2>
          <p className="text-ink2">
            {[content.cloud, region].filter((part) => part !== null).join(', ')};{' '}
            {filterLabel(content.filter)}; times in {content.period.timeZone}
          </p>
        </div>
        <Made content={content} region={region} frozen={frozen} closesAt={closesAt} />
      </header>
      <SheetFigures
        content={content}
        usageNotes={usageNotes}
        idleNotes={idleNotes}
        refusedNotes={refusedNotes}
      />
      <div className="mb-3 grid gap-x-8 gap-y-5 xl:grid-cols-[minmax(0,700px)_minmax(0,1fr)] print:mb-3 print:grid-cols-[minmax(0,62%)_minmax(0,1fr)] print:gap-x-6">
        <SheetPart title="vGPUs used and capacity" note={step}>
          <PeriodChart content={content} label={`vGPUs used and capacity, ${name}`} drawMarks={drawMarks} />
        </SheetPart>
        <FullPart content={content} />
      </div>
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2 xl:grid-cols-[0.66fr_0.9fr_1.4fr_1.24fr] print:grid-cols-[0.75fr_1.1fr_1.2fr_1.1fr] print:gap-x-5">
        <ProjectsPart content={content} />
        <DonePart content={content} />
        <FindingsPart content={content} />
        <HelpPart content={content} />
      </div>
      <footer className="mt-2.5 border-line2 border-t pt-2 text-ink3 text-small print:mt-3">
        {footLines(content).join(' ')}
        {frozen === null ? null : (
          <span className="hidden print:inline">
            {' '}
            {sheetTexts(content).fingerprint}:{' '}
            <span className="font-mono break-all">{frozen.fingerprint}</span>
          </span>
        )}
      </footer>
    </article>
  )
}
