'use client'

import { useQueryStates } from 'nuqs'
import type { ReactNode } from 'react'
import { downloadRows } from '@/components/table/download-rows'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { ClearButton } from '@/components/ui/clear-button'
import { CsvButton } from '@/components/ui/csv-button'
import { StateChips } from '@/components/ui/state-chips'
import { FilterChip, FilterInput, Toolbar } from '@/components/ui/toolbar'
import { type QuotaQuestion, quotaPages } from '@/lib/api/quotas'
import type { QuotaList } from '@/lib/schemas/api/quota'
import { QUOTA_COLUMNS, quotaLines } from './quota-columns'
import { className } from './quota-labels'
import { quotaSearchParams } from './quota-search-params'

export const CLEAR = { q: null, classes: null, all: null, idle: null, state: null } as const

type Table = NonNullable<QuotaList['table']>

/** What narrows the table, and takes it away as CSV. */
export const QuotaTools = ({
  data,
  table,
  question,
  menu,
}: {
  data: QuotaList
  table: Table
  question: QuotaQuestion
  menu: ReactNode
}) => {
  const [params, setParams] = useQueryStates(quotaSearchParams)
  const { classes, counts } = table
  const isNarrowed =
    params.q !== '' || params.state !== null || params.classes.length > 0 || params.all || params.idle
  const download = async () => {
    const { cloud, region } = data
    const pages = await quotaPages.readAll(question)
    const rows = quotaLines({ classes, rows: pages.flatMap((page) => page.table?.rows ?? []) })
    await downloadRows({ cloud, what: 'quotas', columns: QUOTA_COLUMNS, rows, same: { cloud, region } })
  }
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
        word="Include CPU, memory, disk"
        onToggle={() => void setParams({ all: params.all ? null : true })}
      />
      {counts.idle === 0 || params.q.trim() !== '' ? null : (
        <FilterChip
          isOn={params.idle}
          word="Include unused"
          count={counts.idle}
          title="Includes projects that do not use the class and have no project limit above 0"
          onToggle={() => void setParams({ idle: params.idle ? null : true })}
        />
      )}
      {isNarrowed ? <ClearButton onClear={() => void setParams(CLEAR)} /> : null}
      <CsvButton onDownload={() => void download()}>{menu}</CsvButton>
    </Toolbar>
  )
}
