import { Check, Link2 } from 'lucide-react'
import { useQueryStates } from 'nuqs'
import { Button } from '@/components/ui/button'
import { useCopy } from '@/components/ui/copyable'
import type { Capacity } from '@/lib/schemas/api/capacity'
import { capacitySearchParams } from './capacity-search-params'
import { heldRange } from './held-range'
import type { CapacityView } from './use-capacity-view'

/** The page's own address with its cloud, its dates and its time zone written out, so that it shows others the same numbers. */
const fixedAddress = ({ compared, zone }: CapacityView, data: Capacity): string => {
  const address = new URL(window.location.href)
  const { searchParams } = address
  const { from, until } = heldRange(data)
  searchParams.delete('days')
  searchParams.set('cloud', data.cloud)
  searchParams.set('from', from)
  searchParams.set('until', until)
  searchParams.set('zone', zone)
  if (compared !== null) {
    searchParams.set('compare', 'own')
    searchParams.set('compareFrom', compared.from)
  }
  return address.href
}

/** Copies the page's link, and holds the page itself: what was copied is what is seen. */
export const CopyLink = ({ view, data }: { view: CapacityView; data: Capacity | undefined }) => {
  const { isCopied, copy } = useCopy()
  const [, setParams] = useQueryStates(capacitySearchParams)
  const copyAndHold = (shown: Capacity): void => {
    void copy(fixedAddress(view, shown))
    const { from, until } = heldRange(shown)
    void setParams({ from: new Date(from), until: new Date(until) })
  }
  return (
    <Button
      isUnavailable={data === undefined}
      title="With these dates and this time zone; what still runs is left out"
      onClick={() => (data === undefined ? undefined : copyAndHold(data))}
    >
      {isCopied ? <Check size={14} aria-hidden /> : <Link2 size={14} aria-hidden />}
      <span aria-live="polite">{isCopied ? 'Copied' : 'Copy link'}</span>
    </Button>
  )
}
