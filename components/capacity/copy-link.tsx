import { Check, Link2 } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { useCopy } from '@/components/ui/copyable'
import type { Capacity } from '@/lib/schemas/api/capacity'
import type { CapacityView } from './use-capacity-view'

/** The page's own address with its dates and its time zone written out, so that it shows others the same numbers. */
const fixedAddress = ({ compared, zone }: CapacityView, { from, until }: Capacity): string => {
  const address = new URL(window.location.href)
  const { searchParams } = address
  searchParams.delete('days')
  searchParams.set('from', from)
  searchParams.set('until', until)
  searchParams.set('zone', zone)
  if (compared !== null) {
    searchParams.set('compare', 'own')
    searchParams.set('compareFrom', compared.from)
  }
  return address.href
}

export const CopyLink = ({ view, data }: { view: CapacityView; data: Capacity | undefined }) => {
  const { isCopied, copy } = useCopy()
  return (
    <Button
      isUnavailable={data === undefined}
      title="With these dates and this time zone"
      onClick={() => (data === undefined ? undefined : void copy(fixedAddress(view, data)))}
    >
      {isCopied ? <Check size={14} aria-hidden /> : <Link2 size={14} aria-hidden />}
      <span aria-live="polite">{isCopied ? 'Copied' : 'Copy link'}</span>
    </Button>
  )
}
