import { Moment } from '@/components/shell/moment'
import { useServerNow } from '@/components/shell/use-server-now'
import { Stat, StatStrip } from '@/components/ui/stat'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import { formatAge, formatCount, formatLength } from '@/lib/util/format'

/** How far an active change is, for how long it has run, and about how long it still takes. */
export const ProgressStrip = ({ change }: { change: ChangeDetail }) => {
  const now = useServerNow()
  const { hosts, stepCount, startedAt, remainingSeconds, state, isByHand } = change
  const ended = hosts.reduce((sum, host) => sum + host.ended, 0)
  const elapsed = startedAt === null || now === null ? null : (now - Date.parse(startedAt)) / 1000
  return (
    <StatStrip label="Progress">
      <Stat label="Steps" value={formatCount(ended)} note={`of ${formatCount(stepCount)}`}>
        <div aria-hidden className="mt-1 h-1.5 overflow-hidden rounded-full bg-cell">
          <div
            className="h-full bg-accent"
            style={{ width: `${stepCount === 0 ? 0 : (ended / stepCount) * 100}%` }}
          />
        </div>
      </Stat>
      <Stat
        label="Elapsed"
        value={elapsed === null ? null : formatAge(elapsed)}
        note={
          startedAt === null ? undefined : (
            <>
              since <Moment at={startedAt} />
            </>
          )
        }
      />
      {state !== 'running' || isByHand ? null : (
        <Stat
          label="Remaining (estimate)"
          value={
            remainingSeconds === null
              ? null
              : remainingSeconds < 60
                ? formatAge(remainingSeconds)
                : formatLength(remainingSeconds * 1000)
          }
          note={
            remainingSeconds === null
              ? 'unknown: some kinds of steps were not run before'
              : 'by the durations of earlier steps'
          }
        />
      )}
    </StatStrip>
  )
}
