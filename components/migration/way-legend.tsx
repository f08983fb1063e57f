import { formatCount } from '@/lib/util/format'
import type { WayCounts } from './matrix-lines'
import { WAY_STYLES } from './way-styles'
import { WaySymbol } from './way-symbols'
import { VERDICT_MEANINGS, VERDICTS } from './way-words'

/** The signs with their meanings, and how many ways from host to host each has. */
export const WayLegend = ({ counts }: { counts: WayCounts }) => (
  <ul className="mx-0.5 my-2.5 flex flex-wrap gap-x-4 gap-y-1 text-ink2 text-small">
    {VERDICTS.map((verdict) => (
      <li key={verdict} className="inline-flex items-center gap-1.5">
        <span
          className={`inline-flex size-[18px] items-center justify-center rounded-[3px] ${WAY_STYLES[verdict]}`}
        >
          <WaySymbol verdict={verdict} />
        </span>
        {VERDICT_MEANINGS[verdict]}
        <b className="font-semibold text-ink tabular-nums">{formatCount(counts[verdict])}</b>
      </li>
    ))}
    <li className="inline-flex items-center gap-1.5">
      <span className="way-cautioned inline-block size-[18px] rounded-[3px] border border-line" />
      something is advised against
    </li>
  </ul>
)
