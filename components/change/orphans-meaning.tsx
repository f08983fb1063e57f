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
          <b className="font-semibold">{formatNoun(count, 'mdev')}</b> and {count === 1 ? 'its' : 'their'}{' '}
          {count === 1 ? 'definition' : 'definitions'} are removed. Without removing the definition,
          nova-compute recreates the mdev when it restarts.
        </li>
        <li className="text-ink2">
          No server is affected. Before each step, the guests’ XML, Placement and Nova are read again. An mdev
          that may be in use is not removed.
        </li>
        {byHand === 0 ? null : (
          <li className="text-ink2">
            {byHand === count ? 'You run the commands' : `You run the commands of ${byHand}`}: the agents of
            those hosts do not allow <span className="font-mono text-small">remove-mdev</span>. The console
            marks a step as done when it detects the result.
          </li>
        )}
      </ul>
    </Panel>
  )
}
