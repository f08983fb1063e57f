import type { ReviewContent } from '@/lib/schemas/api/review-content'
import { formatCount, formatNoun, formatPercent } from '@/lib/util/format'
import { growthWords, hourIn, REFUSED_WORDS, unseenNote } from '../review-words'
import { SheetFigure } from './sheet-parts'

const count = (value: number | null | undefined): string | null =>
  value === null || value === undefined ? null : formatCount(Math.round(value))

const refusedNote = ({ refused: { servers, groups } }: ReviewContent): string => {
  const [first] = groups
  if (first === undefined) return 'no server with a GPU'
  const who = first.flavor ?? 'unknown flavor'
  const share = first.servers === servers ? 'all' : formatCount(first.servers)
  return `${share} of them ${who}: ${REFUSED_WORDS[first.reason]}`
}

const strandedNote = ({ end, stranded: [first] }: ReviewContent): string => {
  if (end === null || end.stranded === null) return 'the cloud had not said'
  if (end.stranded === 0) return 'every free one could be had'
  if (first === undefined || first.because === null) return 'why was not kept'
  return `${formatCount(first.vgpus)}: ${first.because}`
}

/** The figures under the head of a review. */
export const SheetFigures = ({
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
  const { end, peak, average, period, idle, utilisation, refused } = content
  const isPreview = period.knownUntil !== period.until
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
          growthWords(content),
          end === null ? 'nobody knew it' : unseenNote(end),
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
          peak === null ? 'nobody watched' : hourIn(peak.at, period.timeZone),
          average.used === null ? null : `${count(average.used)} on average`,
        ]}
      />
      <SheetFigure
        label="Utilisation"
        value={utilisation.isKnown ? count(utilisation.average) : null}
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
