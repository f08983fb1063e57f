import { FilteredSelect } from '@/components/ui/filtered-select'
import { useMoreRows } from '@/components/ui/more-rows'
import { Panel } from '@/components/ui/panel'
import { Tag } from '@/components/ui/tag'
import type { LimitSetUp } from '@/lib/schemas/api/limit-set-up'
import { formatCount, formatNoun } from '@/lib/util/format'
import { LimitTrial } from './limit-trial'

const STATES = {
  fits: { word: 'accepted', tone: 'quiet' },
  refused: { word: 'refused', tone: 'warn' },
  unknown: { word: 'unknown', tone: 'accent' },
} as const

/** Whether Nova enforces the limits now, or would do so with unified limits. */
const NOTES = {
  unified: 'with the current limits in Keystone',
  legacy: 'Nova uses its own quotas now. This is the result with unified limits',
} as const

/** Rows that are drawn at first. */
const ROWS = 40

const UNDER_CURRENT_LIMITS = 'with the current limits in Keystone, after Nova uses them'

type Result = NonNullable<LimitSetUp['dryRun']>

const DryRun = ({ projects, counts }: Result) => {
  const { first, more } = useMoreRows(projects, ROWS)
  const total = counts.refused + counts.unknown + counts.fits
  return (
    <>
      <p className="mb-1.5 text-ink2">
        Accepted for {formatCount(counts.fits)} of {formatNoun(total, 'project')}, refused for{' '}
        {formatCount(counts.refused)}, unknown for {formatCount(counts.unknown)}.
        {projects.length < total ? ` The first ${projects.length} are listed.` : null}
      </p>
      <ul className="flex flex-col gap-1.5">
        {first.map(({ projectId, projectName, state, message }) => (
          <li key={projectId} className="wrap-anywhere">
            <b className="font-semibold">{projectName}</b>{' '}
            <Tag tone={STATES[state].tone}>{STATES[state].word}</Tag>
            {message === null ? null : (
              <p className={state === 'refused' ? 'font-mono text-small' : 'text-ink2'}>{message}</p>
            )}
          </li>
        ))}
      </ul>
      {more}
    </>
  )
}

/** Nova's answer to the next server of a flavor, project by project, with the current limits in Keystone. */
export const DryRunPanel = ({
  setUp: { flavors, dryRun, driver },
  flavor,
  onFlavor,
}: {
  setUp: LimitSetUp
  flavor: string
  onFlavor: (flavor: string) => void
}) => (
  <Panel title="5. Dry run" note={driver === null ? UNDER_CURRENT_LIMITS : NOTES[driver]}>
    <div className="mb-2.5 w-full max-w-[320px]">
      <FilteredSelect
        label="Flavor of the next server"
        empty="Select a flavor"
        value={flavor}
        choices={flavors.map(({ id, name }) => ({ value: id, label: name }))}
        onChoose={onFlavor}
      />
    </div>
    {dryRun === null || dryRun.flavorId !== flavor ? null : dryRun.projects.length === 0 ? (
      <p className="text-ink2">No project can use it.</p>
    ) : (
      <>
        <DryRun {...dryRun} />
        <LimitTrial key={flavor} flavorId={flavor} />
      </>
    )}
  </Panel>
)
