import Link from 'next/link'
import { formatDay } from '@/components/forecast/forecast-text'
import { Age } from '@/components/shell/moment'
import type { Column } from '@/components/table/column'
import { Unknown } from '@/components/ui/key-values'
import type { ScenarioSummary } from '@/lib/schemas/api/scenario'
import { formatCount } from '@/lib/util/format'
import { scenariosPath } from '@/lib/util/planning-paths'

const NEWER = 'A newer release of the console saved the steps.'

const Days = ({ from, until, savedAt }: ScenarioSummary) => {
  if (from === null || until === null) return <span className="text-ink3">no date</span>
  const [first, last] = [formatDay(from, savedAt), formatDay(until, savedAt)]
  return first === last ? first : `${first} to ${last}`
}

/** Saved scenarios on their page. */
export const SCENARIO_COLUMNS: readonly Column<ScenarioSummary>[] = [
  {
    id: 'name',
    header: 'Scenario',
    isFixed: true,
    className: 'min-w-40 wrap-anywhere',
    cell: ({ id, name }, { cloud }) => (
      <Link
        href={scenariosPath({ cloud, search: { a: String(id) } })}
        className="font-[550] text-accent-ink hover:underline"
      >
        {name}
      </Link>
    ),
  },
  {
    id: 'steps',
    header: 'Steps',
    isNumber: true,
    cell: ({ stepCount }) => (stepCount === null ? <Unknown reason={NEWER} /> : formatCount(stepCount)),
  },
  {
    id: 'dates',
    header: 'Dates',
    className: 'whitespace-nowrap',
    cell: (scenario) => <Days {...scenario} />,
  },
  {
    id: 'saved',
    header: 'Saved',
    className: 'text-ink2',
    cell: ({ savedBy, savedAt }) => (
      <>
        {savedBy.replace(/^user:/, '')}, <Age at={savedAt} /> ago
      </>
    ),
  },
  {
    id: 'created',
    header: 'Created by',
    phone: 'hidden',
    className: 'text-ink2',
    cell: ({ createdBy }) => createdBy.replace(/^user:/, ''),
  },
]
