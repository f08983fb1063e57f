import { useChartClock } from '@/components/charts/chart-clock'
import type { Capacity } from '@/lib/schemas/api/capacity'
import { chosenName, dayOf, GROUP_WORDS, lastDayOf } from './capacity-words'
import type { CapacityView } from './use-capacity-view'

/** On paper the tools are gone, so their words say what is shown, and of which time. */
export const PrintedView = ({ view, data }: { view: CapacityView; data: Capacity | undefined }) => {
  const { words } = useChartClock(data?.stepSeconds ?? 0)
  if (data === undefined) return null
  const { compared, host, by } = view
  const parts = [
    `${dayOf(data.from)} to ${lastDayOf(data.until)}`,
    chosenName(view, data.series[0]),
    `by ${GROUP_WORDS[host === null ? by : 'pgpu'].choice}`,
    compared === null ? null : `compared with ${dayOf(compared.from)} to ${lastDayOf(compared.until)}`,
    `charts in ${words}`,
  ].filter((part) => part !== null)
  return <p className="mb-2 hidden text-ink2 print:block">{parts.join('; ')}.</p>
}
