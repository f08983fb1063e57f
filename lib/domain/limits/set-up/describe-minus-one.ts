import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { listText } from '@/lib/domain/wording'
import { sh } from '@/lib/util/encode/shell'
import { ownLimits } from '../effective-limit'
import type { LimitView } from '../limit-view'
import type { SetUpFact } from './set-up-fact'

const rowsOf = (fleet: Fleet, view: LimitView): string[] => [
  ...[...view.effective.values()]
    .filter(({ defaultLimit }) => defaultLimit === -1)
    .map(({ resourceName }) => `the default of ${resourceName}`),
  ...[...(ownLimits(view) ?? [])].flatMap(([projectId, limits]) =>
    [...limits.values()]
      .filter(({ resourceLimit }) => resourceLimit === -1)
      .map(({ resourceName }) => `${resourceName} of ${fleet.projects.get(projectId)?.name ?? projectId}`),
  ),
]

/**
 * Limits of -1 that Nova finds, where this release does not take them for "no limit" (nova/limit/utils.py should_enforce);
 * null: there is none.
 */
export const describeMinusOne = (fleet: Fleet, view: LimitView): SetUpFact | null => {
  const rows = view.isUnlimitedKnown === true ? [] : rowsOf(fleet, view)
  if (rows.length === 0) return null
  const isKnown = view.isUnlimitedKnown === false
  const said = `${listText(rows, 4)} ${rows.length === 1 ? 'is' : 'are'} -1`
  return {
    id: 'minus-one',
    title: 'Limits of -1',
    state: isKnown ? 'open' : 'unknown',
    said: isKnown
      ? `This release takes -1 as it stands and refuses everything, and ${said}: write a high number in its place`
      : `${said}; from 2025.1 on that is no limit, and before it refuses everything`,
    check: isKnown ? null : sh`nova-manage --version`,
  }
}
