import { Unknown } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { listText } from '@/lib/domain/wording'
import type { LimitChangePreview } from '@/lib/schemas/api/limit-change'
import { classNames } from '@/lib/util/class-names'
import { formatCount, formatNoun, formatShare } from '@/lib/util/format'
import { className } from './quota-labels'

const MAX_LISTED = 20

const More = ({ count }: { count: number }) =>
  count <= MAX_LISTED ? null : <li className="text-ink3">and {count - MAX_LISTED} more</li>

const formatValue = (value: number | null, isDefault: boolean): string =>
  value === null ? (isDefault ? 'not registered' : 'the default') : formatCount(value)

const Effects = ({ effects, totals, region, unchanged }: LimitChangePreview) => (
  <Panel title="What this changes" note={region === null ? 'no region' : `region ${region}`}>
    <ul className="flex flex-col gap-1">
      {effects.slice(0, MAX_LISTED).map(({ resourceName, projectId, projectName, before, after, used }) => (
        <li key={`${resourceName} ${projectId}`} className="wrap-anywhere">
          <b className="font-semibold">{className(resourceName)}</b> {projectName ?? 'default'}:{' '}
          <span className="whitespace-nowrap tabular-nums">
            <span className="text-ink3">{formatValue(before, projectId === null)}</span> →{' '}
            {formatValue(after, projectId === null)}
          </span>
          {used === null ? null : <span className="text-ink3 text-small"> {formatCount(used)} used</span>}
        </li>
      ))}
      <More count={totals?.effects ?? effects.length} />
    </ul>
    {unchanged === 0 ? null : (
      <p className="mt-2 text-ink2">{formatNoun(unchanged, 'more limit is', 'more limits are')} unchanged.</p>
    )}
  </Panel>
)

type DayOne = Pick<LimitChangePreview, 'dayOne' | 'totals'>

const UnknownProjects = ({ dayOne, totals }: DayOne) => {
  const unknown = dayOne?.unknown ?? []
  if (unknown.length === 0) return null
  const more = (totals?.unknown ?? unknown.length) - MAX_LISTED
  const names =
    more > 1 ? `${unknown.slice(0, MAX_LISTED).join(', ')} and ${more} more` : listText(unknown, MAX_LISTED)
  return (
    <p className="mt-1.5 text-warn wrap-anywhere">Unknown for {names}: the limit or the use is unknown.</p>
  )
}

const NoneOver = ({ dayOne, totals }: DayOne) =>
  dayOne === undefined ? null : (
    <Panel title="Over the limit on day one">
      <p className="text-ink2">
        {dayOne.unknown.length === 0
          ? 'No project exceeds its limit.'
          : 'No project is known to exceed its limit.'}
      </p>
      <UnknownProjects dayOne={dayOne} totals={totals} />
    </Panel>
  )

const Over = ({ over, dayOne, totals }: DayOne & Pick<LimitChangePreview, 'over'>) =>
  over.length === 0 ? (
    <NoneOver dayOne={dayOne} totals={totals} />
  ) : (
    <Panel
      title={dayOne === undefined ? 'Over the limit immediately' : 'Over the limit on day one'}
      note={formatNoun(
        totals?.overProjects ?? new Set(over.map(({ projectId }) => projectId)).size,
        'project',
      )}
    >
      <p className="mb-1.5 text-ink2">They keep their resources but cannot create more.</p>
      <ul className="flex flex-col gap-1">
        {over.slice(0, MAX_LISTED).map(({ resourceName, projectId, projectName, used, limit }) => (
          <li key={`${resourceName} ${projectId}`} className="wrap-anywhere">
            <b className="font-semibold">{projectName}</b>{' '}
            <span className="text-warn">
              {formatCount(used)} of {formatCount(limit)} {className(resourceName)}
            </span>
          </li>
        ))}
        <More count={totals?.over ?? over.length} />
      </ul>
      <UnknownProjects dayOne={dayOne} totals={totals} />
    </Panel>
  )

const shareOf = (sum: number | null, capacity: number | null): number | null =>
  sum === null || capacity === null || capacity === 0 ? null : sum / capacity

const Share = ({ share }: { share: number | null }) =>
  share === null ? (
    <Unknown reason="sum or capacity is unknown" />
  ) : (
    <span className={classNames(share > 1 && 'text-warn')}>{formatShare(share)}</span>
  )

const Commitments = ({ classes }: Pick<LimitChangePreview, 'classes'>) =>
  classes.length === 0 ? null : (
    <Panel title="Allocated quota" note="all projects, of the capacity">
      <ul className="flex flex-col gap-1">
        {classes.map(({ resourceName, capacity, before, after }) => (
          <li key={resourceName} className="tabular-nums wrap-anywhere">
            <b className="font-semibold">{className(resourceName)}</b>{' '}
            <span className="text-ink3">
              <Share share={shareOf(before, capacity)} />
            </span>{' '}
            → <Share share={shareOf(after, capacity)} />
            <span className="text-ink3 text-small">
              {' '}
              {after === null ? 'unknown' : formatCount(after)} of{' '}
              {capacity === null ? 'unknown' : formatCount(capacity)}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )

const Refusals = ({ refusals, totals }: Pick<LimitChangePreview, 'refusals' | 'totals'>) =>
  refusals.length === 0 ? null : (
    <Panel title="Skipped" note={formatNoun(totals?.refusals ?? refusals.length, 'limit')}>
      <ul className="flex flex-col gap-1.5">
        {refusals.slice(0, MAX_LISTED).map(({ resourceName, projectName, reason }) => (
          <li key={`${resourceName} ${projectName}`} className="wrap-anywhere">
            <b className="font-semibold">
              {className(resourceName)} {projectName ?? 'default'}
            </b>{' '}
            <span className="text-warn">{reason}</span>
          </li>
        ))}
        <More count={totals?.refusals ?? refusals.length} />
      </ul>
    </Panel>
  )

type StraysProps = { strays: NonNullable<LimitChangePreview['strays']>; count: number }

const Strays = ({ strays, count }: StraysProps) => {
  const shown = [strays.registered, strays.limits].map((rows) => Math.min(rows.length, MAX_LISTED))
  const rest = count - shown.reduce((sum, rows) => sum + rows, 0)
  return (
    <Panel title="Deleted: without a region" note="not used by Nova">
      <ul className="flex flex-col gap-1">
        {strays.registered.slice(0, MAX_LISTED).map(({ resourceName, defaultLimit }) => (
          <li key={resourceName} className="wrap-anywhere">
            <b className="font-semibold">{className(resourceName)}</b> default {formatCount(defaultLimit)}
          </li>
        ))}
        {strays.limits.slice(0, MAX_LISTED).map(({ resourceName, projectName, resourceLimit }) => (
          <li key={`${resourceName} ${projectName}`} className="wrap-anywhere">
            <b className="font-semibold">{className(resourceName)}</b> {projectName}{' '}
            {formatCount(resourceLimit)}
          </li>
        ))}
        {rest <= 0 ? null : <li className="text-ink3">and {rest} more</li>}
      </ul>
    </Panel>
  )
}

const hasStrays = ({ strays }: LimitChangePreview): boolean =>
  strays !== undefined && strays.registered.length + strays.limits.length > 0

/**
 * The effects of a change of limits: each limit before and after, which projects would be over it, and the allocated
 * share of the hardware.
 */
export const LimitMeaning = ({ change }: { change: LimitChangePreview }) => (
  <>
    <Refusals {...change} />
    {change.effects.length === 0 ? null : <Effects {...change} />}
    {change.strays !== undefined && hasStrays(change) ? (
      <Strays
        strays={change.strays}
        count={change.totals?.strays ?? change.strays.registered.length + change.strays.limits.length}
      />
    ) : null}
    <Over {...change} />
    <Commitments classes={change.classes} />
    <Panel title="Good to know">
      <ul className="flex list-disc flex-col gap-1 pl-4 text-ink2">
        {change.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Panel>
  </>
)
