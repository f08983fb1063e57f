'use client'

import { useQueryStates } from 'nuqs'
import { Button } from '@/components/ui/button'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { ClearButton } from '@/components/ui/clear-button'
import { FilterInput, Toolbar } from '@/components/ui/toolbar'
import { Tooltip } from '@/components/ui/tooltip'
import type { Migration } from '@/lib/schemas/api/migration'
import { type MatrixView, MOST_LINES } from './matrix-lines'
import { migrationSearchParams } from './migration-search-params'

export const MigrationTools = ({
  types,
  typeId,
  view,
}: {
  types: Migration['types']
  typeId: string
  view: MatrixView
}) => {
  const [{ q }, setParams] = useQueryStates(migrationSearchParams)
  return (
    <Toolbar>
      <ChoiceChip
        label="vGPU type"
        isMultiple={false}
        choices={types.map((type) => ({
          value: type.typeId,
          label: `${type.typeName}${type.typeName === type.typeId ? '' : ` (${type.typeId})`}`,
          count: type.hostCount,
        }))}
        chosen={[typeId]}
        onChoose={([type]) => void setParams({ type: type ?? null, from: null, to: null })}
      />
      <FilterInput
        className="sm:w-[180px]"
        label="Filter by host"
        placeholder="Host"
        value={q}
        onChange={(q) => void setParams({ q })}
      />
      <fieldset className="flex gap-1">
        <legend className="sr-only">Rows and columns</legend>
        <Tooltip
          content={
            view.isTooMany
              ? `More than ${MOST_LINES} hosts: narrow them by name to see each by itself.`
              : null
          }
        >
          <Button
            variant={view.isGrouped ? 'chip' : 'chipOn'}
            aria-pressed={!view.isGrouped}
            isUnavailable={view.isTooMany}
            onClick={() => void setParams({ by: 'host' })}
          >
            Host by host
          </Button>
        </Tooltip>
        <Button
          variant={view.isGrouped ? 'chipOn' : 'chip'}
          aria-pressed={view.isGrouped}
          onClick={() => void setParams({ by: 'kind' })}
        >
          Equal hosts together
        </Button>
      </fieldset>
      {q === '' ? null : <ClearButton onClear={() => void setParams({ q: null })} />}
    </Toolbar>
  )
}
