'use client'

import { useQueryStates } from 'nuqs'
import { Panel } from '@/components/ui/panel'
import type { FitReportDto } from '@/lib/schemas/api/fit'
import { classNames } from '@/lib/util/class-names'
import { formatNoun } from '@/lib/util/format'
import { groupLabel } from './fit-labels'
import { fitSearchParams } from './fit-search-params'

/** How many hosts are kept by what; each group narrows the list below to its hosts. */
export const ReasonGroups = ({ fit }: { fit: FitReportDto }) => {
  const [{ group: chosen }, setParams] = useQueryStates(fitSearchParams)
  if (fit.hostCount === 0) return null
  const over = fit.overPromisedHosts
  return (
    <Panel title="Hosts by reason">
      <ul className="flex flex-col gap-px">
        {fit.groups.map(({ group, count }) => (
          <li key={group}>
            <button
              type="button"
              aria-pressed={chosen === group}
              onClick={() => void setParams({ group: chosen === group ? null : group })}
              className={classNames(
                'flex w-full flex-wrap gap-x-2 rounded-control px-2 py-1 text-left hover:bg-bg',
                chosen === group && 'bg-sel',
              )}
            >
              <span
                className={classNames(
                  'w-20 flex-none text-right font-[550] tabular-nums',
                  group === 'fits' && 'text-accent-ink',
                )}
              >
                {formatNoun(count, 'host')}
              </span>
              <span className="min-w-0 flex-1">{groupLabel(group)}</span>
            </button>
          </li>
        ))}
      </ul>
      {over === 0 ? null : (
        <p className="mt-2 text-small text-warn">
          On {formatNoun(over, 'host')}, Placement offers more than the hardware supports.
        </p>
      )}
    </Panel>
  )
}
