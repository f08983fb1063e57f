'use client'

import { useQueryStates } from 'nuqs'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { ClearButton } from '@/components/ui/clear-button'
import { CsvButton } from '@/components/ui/csv-button'
import { downloadCsv } from '@/components/ui/download-text'
import { StateChips } from '@/components/ui/state-chips'
import { FilterChip, FilterInput, Toolbar } from '@/components/ui/toolbar'
import { allQuotas, type QuotaQuestion } from '@/lib/api/quotas'
import { capacityShare } from '@/lib/domain/limits/arrange-quotas'
import type { QuotaClass, QuotaList, QuotaRow } from '@/lib/schemas/api/quota'
import { csvText } from '@/lib/util/encode/csv'
import type { Encoded } from '@/lib/util/encode/encoded'
import { quotaSearchParams } from './quota-search-params'
import { className } from './quota-words'

type Cell = string | number | null
type Line = { row: QuotaRow; of: QuotaClass | undefined }

const COLUMNS: readonly (readonly [string, (line: Line) => Cell])[] = [
  ['project', ({ row }) => row.projectName],
  ['project_id', ({ row }) => row.projectId],
  ['resource', ({ row }) => row.resourceName],
  [
    'limit',
    ({ row: { limit } }) =>
      limit.kind === 'number' ? limit.value : limit.kind === 'unlimited' ? 'none' : null,
  ],
  ['limit_from', ({ row }) => row.limit.origin],
  ['used', ({ row }) => row.used.value],
  ['used_twice_by_moves', ({ row }) => row.moving.amount],
  ['left', ({ row }) => row.left],
  ['capacity', ({ of }) => of?.capacity?.value ?? null],
  [
    'share_of_capacity_percent',
    ({ row, of }) => {
      const share = of === undefined ? null : capacityShare(row, of)
      return share === null ? null : Math.round(share * 1000) / 10
    },
  ],
]

/** The rows in the order in which they are shown. An unknown number is an empty field. */
export const quotaCsv = (
  { cloud, region }: { cloud: string; region: string | null },
  { classes, rows }: { classes: readonly QuotaClass[]; rows: readonly QuotaRow[] },
): Encoded<'csv'> => {
  const byClass = new Map(classes.map((each) => [each.resourceName, each]))
  return csvText([
    ['cloud', 'region', ...COLUMNS.map(([name]) => name)],
    ...rows.map((row) => [
      cloud,
      region,
      ...COLUMNS.map(([, read]) => read({ row, of: byClass.get(row.resourceName) })),
    ]),
  ])
}

export const CLEAR = { q: null, classes: null, all: null, idle: null, state: null } as const

type Table = NonNullable<QuotaList['table']>

/** What narrows the table, and takes it away as CSV. */
export const QuotaTools = ({
  data,
  table,
  question,
}: {
  data: QuotaList
  table: Table
  question: QuotaQuestion
}) => {
  const [params, setParams] = useQueryStates(quotaSearchParams)
  const { classes, counts } = table
  const isNarrowed =
    params.q !== '' || params.state !== null || params.classes.length > 0 || params.all || params.idle
  const download = async () =>
    downloadCsv({
      cloud: data.cloud,
      what: 'quotas',
      text: quotaCsv(data, { classes, rows: await allQuotas(question) }),
    })
  return (
    <Toolbar>
      <FilterInput
        className="sm:w-[220px]"
        label="Filter by project, class"
        value={params.q}
        onChange={(q) => void setParams({ q })}
      />
      <ChoiceChip
        label="Class"
        choices={classes.map(({ resourceName }) => ({
          value: resourceName,
          label: className(resourceName),
        }))}
        chosen={params.classes}
        isMultiple
        onChoose={(chosen) => void setParams({ classes: chosen.length === 0 ? null : chosen })}
      />
      <StateChips
        chosen={params.state}
        states={[
          { state: 'over', word: 'Over', count: counts.over },
          { state: 'near', word: 'Near the limit', count: counts.near },
          {
            state: 'own',
            word: 'Own limit',
            count: counts.own,
          },
        ]}
        onChoose={(state) => void setParams({ state })}
      />
      <FilterChip
        isOn={params.all}
        word="CPU, memory and disk too"
        onToggle={() => void setParams({ all: params.all ? null : true })}
      />
      {counts.idle === 0 || params.q.trim() !== '' ? null : (
        <FilterChip
          isOn={params.idle}
          word="Unused too"
          count={counts.idle}
          title="Rows of projects that use none of the class and have no limit of their own above 0"
          onToggle={() => void setParams({ idle: params.idle ? null : true })}
        />
      )}
      {isNarrowed ? <ClearButton onClear={() => void setParams(CLEAR)} /> : null}
      <CsvButton onDownload={() => void download()} />
    </Toolbar>
  )
}
