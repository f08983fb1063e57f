import { Panel } from '@/components/ui/panel'
import type { ChangePlan } from '@/lib/schemas/api/change'
import { formatNoun } from '@/lib/util/format'

type Tasks = ChangePlan['tasks']

const sumOf = (tasks: Tasks): number => tasks.reduce((sum, { steps }) => sum + steps, 0)

/** What the removal of orphans means, and who does it. */
export const OrphansMeaning = ({ tasks }: { tasks: Tasks }) => {
  const removals = tasks.filter(({ kind }) => kind === 'remove-mdev')
  const count = sumOf(removals)
  const byHand = sumOf(removals.filter(({ doer }) => doer === 'operator'))
  return (
    <Panel title="What this changes">
      <ul className="flex flex-col gap-1.5">
        <li>
          <b className="font-semibold">{formatNoun(count, 'mdev')}</b> {count === 1 ? 'goes' : 'go'}, with{' '}
          {count === 1 ? 'its' : 'their'} definition: one that is only removed comes back when nova-compute
          restarts.
        </li>
        <li className="text-ink2">
          No server is touched: right before each step the guests’ XML, Placement and Nova are read again, and
          what somebody may own stays.
        </li>
        {byHand === 0 ? null : (
          <li className="text-ink2">
            {byHand === count ? 'You run the commands' : `You run the commands of ${byHand}`}: the agents of
            those hosts do not allow <span className="font-mono text-small">remove-mdev</span>. The console
            watches and ticks off what it sees.
          </li>
        )}
      </ul>
    </Panel>
  )
}
