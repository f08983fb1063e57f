'use client'

import { PlanLink } from '@/components/change/plan-link'
import { useCloud } from '@/components/shell/use-cloud'
import { Button } from '@/components/ui/button'
import type { QuotaRow } from '@/lib/schemas/api/quota'
import { formatNoun } from '@/lib/util/format'
import { newLimitsPath } from '@/lib/util/paths'

/** What can be done with the chosen rows. */
export const ChosenBar = ({ rows, onClear }: { rows: readonly QuotaRow[]; onClear: () => void }) => {
  const { cloud } = useCloud()
  if (rows.length === 0) return null
  return (
    <section
      aria-label="Chosen limits"
      className="sticky bottom-3 z-10 mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-panel border border-accent bg-panel px-3.5 py-2 shadow-float print:hidden"
    >
      <p className="font-[550]">{formatNoun(rows.length, 'limit')} chosen</p>
      <PlanLink href={newLimitsPath({ cloud, limits: rows })} variant="main">
        Change limits
      </PlanLink>
      <Button variant="ghost" onClick={onClear}>
        Clear
      </Button>
    </section>
  )
}
