import { Moment } from '@/components/shell/moment'
import { useServerNow } from '@/components/shell/use-server-now'
import { ShareBar } from '@/components/ui/share-bar'
import { Stat, StatStrip } from '@/components/ui/stat'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import { formatAge, formatCount, formatUntil } from '@/lib/util/format'

/** The progress of an active change: completed steps, elapsed time, and an estimate of the remaining time. */
export const ProgressStrip = ({ change }: { change: ChangeDetail }) => {
  const now = useServerNow()
  const { hosts, stepCount, startedAt, remainingSeconds, state, isByHand } = change
  const ended = hosts.reduce((sum, host) => sum + host.ended, 0)
  const elapsed = startedAt === null || now === null ? null : (now - Date.parse(startedAt)) / 1000
  return (
    <StatStrip label="Progress">
      <Stat label="Steps" value={formatCount(ended)} note={`of ${formatCount(stepCount)}`}>
        <ShareBar share={ended / Math.max(stepCount, 1)} className="mt-1" />
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
          value={remainingSeconds === null ? null : formatUntil(remainingSeconds)}
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
