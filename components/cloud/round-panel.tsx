import { Moment } from '@/components/shell/moment'
import { Stat, StatStrip } from '@/components/ui/stat'
import type { CloudReadingDto } from '@/lib/schemas/api/cloud-reading'
import { formatCount } from '@/lib/util/format'
import { formatMs } from './format-ms'

type Round = NonNullable<CloudReadingDto['round']>

/** The last round in figures. */
export const RoundPanel = ({ round }: { round: Round }) => (
  <>
    <StatStrip label="The last round of reading">
      <Stat
        label="Round"
        value={formatCount(round.number)}
        note={
          <>
            began <Moment at={round.startedAt} />
          </>
        }
      />
      <Stat label="Took" value={formatMs(round.tookMs)} />
      <Stat label="Requests" value={formatCount(round.requests)} note="to all services" />
      <Stat
        label="Waiting"
        value={formatCount(round.waitingRequests)}
        tone={round.waitingRequests > 0 ? 'warn' : 'plain'}
        note={round.waitingRequests === 0 ? 'nothing left over' : 'left for the next rounds by the rate'}
      />
    </StatStrip>
    {round.notes.length === 0 ? null : (
      <ul aria-label="Notes on the round" className="mb-3 flex list-disc flex-col gap-0.5 pl-4 text-ink2">
        {round.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    )}
  </>
)
