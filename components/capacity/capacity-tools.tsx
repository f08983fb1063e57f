import { X } from 'lucide-react'
import { useQueryStates } from 'nuqs'
import { Button } from '@/components/ui/button'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { Toolbar } from '@/components/ui/toolbar'
import type { Capacity } from '@/lib/schemas/api/capacity'
import { CAPACITY_GROUPS, capacitySearchParams, RANGE_DAYS } from './capacity-search-params'
import { dayOf, GROUP_WORDS } from './capacity-words'
import type { CapacityView } from './use-capacity-view'

const RANGE_WORDS: Readonly<Record<number, string>> = {
  7: '7 days',
  30: '30 days',
  90: '90 days',
  365: '1 year',
}

/** What the page shows, and of which time. */
export const CapacityTools = ({ view, data }: { view: CapacityView; data: Capacity | undefined }) => {
  const [, setParams] = useQueryStates(capacitySearchParams)
  const { days, isFixed, range, by } = view
  return (
    <Toolbar>
      <ChoiceChip
        label="Range"
        isMultiple={false}
        choices={RANGE_DAYS.map((each) => ({ value: String(each), label: RANGE_WORDS[each] ?? '' }))}
        chosen={isFixed ? [] : [String(days)]}
        onChoose={([value = '30']) => void setParams({ days: Number(value), from: null, until: null })}
      />
      <ChoiceChip
        label="By"
        isMultiple={false}
        choices={CAPACITY_GROUPS.map((value) => ({ value, label: GROUP_WORDS[value].choice }))}
        chosen={[by]}
        onChoose={([value]) =>
          void setParams({ by: CAPACITY_GROUPS.find((each) => each === value) ?? 'type', key: null })
        }
      />
      {isFixed ? (
        <Button variant="chipOn" onClick={() => void setParams({ from: null, until: null })}>
          {dayOf(range.from)} to {dayOf(range.until ?? range.from)} <X size={13} aria-hidden />
          <span className="sr-only">: let it go on</span>
        </Button>
      ) : (
        <Button
          variant="ghost"
          isUnavailable={data === undefined}
          onClick={() =>
            data === undefined ? undefined : void setParams({ from: data.from, until: data.until })
          }
        >
          Hold these dates
        </Button>
      )}
    </Toolbar>
  )
}
