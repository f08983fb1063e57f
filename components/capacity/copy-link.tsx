import { Check, Link2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { copyText } from '@/components/ui/copyable'
import type { Capacity } from '@/lib/schemas/api/capacity'
import type { CapacityView } from './use-capacity-view'

const COPIED_MS = 1500

/** The page's own address with its dates and its time zone written out, so that it shows others the same numbers. */
const fixedAddress = ({ compared, zone }: CapacityView, { from, until }: Capacity): string => {
  const address = new URL(window.location.href)
  const { searchParams } = address
  searchParams.delete('days')
  searchParams.set('from', from)
  searchParams.set('until', until)
  if (zone !== null) searchParams.set('zone', zone)
  if (compared !== null) {
    searchParams.set('compare', 'own')
    searchParams.set('compareFrom', compared.from)
  }
  return address.href
}

export const CopyLink = ({ view, data }: { view: CapacityView; data: Capacity | undefined }) => {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    if (data === undefined || !(await copyText(fixedAddress(view, data)))) return
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), COPIED_MS)
  }
  return (
    <Button
      isUnavailable={data === undefined}
      title="With these dates and this time zone"
      onClick={() => void copy()}
    >
      {isCopied ? <Check size={14} aria-hidden /> : <Link2 size={14} aria-hidden />}
      <span aria-live="polite">{isCopied ? 'Copied' : 'Copy link'}</span>
    </Button>
  )
}
