'use client'

import { useQueryStates } from 'nuqs'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { ClearButton } from '@/components/ui/clear-button'
import { CsvButton } from '@/components/ui/csv-button'
import { downloadCsv } from '@/components/ui/download-text'
import { StateChips } from '@/components/ui/state-chips'
import { FilterChip, FilterInput, Toolbar } from '@/components/ui/toolbar'
import type { QuotaList, QuotaRow } from '@/lib/schemas/api/quota'
import { isIdle, isNear, isOver, wantedRows } from './arrange-quotas'
import { quotaCsv } from './quota-csv'
import { quotaSearchParams } from './quota-search-params'
import { className } from './quota-words'

export const CLEAR = { q: null, classes: null, all: null, idle: null, state: null } as const

type Table = NonNullable<QuotaList['table']>

/** What narrows the table, and takes it away as CSV. */
export const QuotaTools = ({
  data,
  table,
  shown,
}: {
  data: QuotaList
  table: Table
  shown: readonly QuotaRow[]
}) => {
  const [params, setParams] = useQueryStates(quotaSearchParams)
  const { classes } = table
  const isGpu = new Set(classes.filter((each) => each.isGpu).map(({ resourceName }) => resourceName))
  const counted = params.all ? table.rows : table.rows.filter(({ resourceName }) => isGpu.has(resourceName))
  const idleCount = wantedRows(table, params).filter(isIdle).length
  const isNarrowed =
    params.q !== '' || params.state !== null || params.classes.length > 0 || params.all || params.idle
  const download = () =>
    downloadCsv({
      cloud: data.cloud,
      what: 'quotas',
      text: quotaCsv(data, { classes, rows: shown }),
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
          { state: 'over', word: 'Over', count: counted.filter(isOver).length },
          { state: 'near', word: 'Near the limit', count: counted.filter(isNear).length },
          {
            state: 'own',
            word: 'Own limit',
            count: counted.filter(({ limit }) => limit.origin === 'own').length,
          },
        ]}
        onChoose={(state) => void setParams({ state })}
      />
      <FilterChip
        isOn={params.all}
        word="CPU, memory and disk too"
        onToggle={() => void setParams({ all: params.all ? null : true })}
      />
      {idleCount === 0 || params.q.trim() !== '' ? null : (
        <FilterChip
          isOn={params.idle}
          word="Unused too"
          count={idleCount}
          title="Rows of projects that use none of the class and have no limit of their own above 0"
          onToggle={() => void setParams({ idle: params.idle ? null : true })}
        />
      )}
      {isNarrowed ? <ClearButton onClear={() => void setParams(CLEAR)} /> : null}
      <CsvButton onDownload={download} />
    </Toolbar>
  )
}
