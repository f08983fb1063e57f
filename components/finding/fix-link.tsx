'use client'

import type { ComponentProps } from 'react'
import { PlanLink } from '@/components/change/plan-link'
import { useSilentHosts } from '@/components/shell/use-silent-hosts'
import type { TrackedFinding } from '@/lib/schemas/api/finding'
import { repairOf, silentRefusalOf } from './repair-of'

/** The page that prepares the fix of a finding as a change; where it is not available, the reason. */
export const FixLink = ({
  finding,
  cloud,
  ...style
}: {
  finding: TrackedFinding
  cloud: string | null
} & Pick<ComponentProps<typeof PlanLink>, 'variant' | 'size'>) => {
  const silentHosts = useSilentHosts()
  const repair = repairOf(finding, cloud)
  return repair === null ? null : (
    <PlanLink {...style} href={repair.path} because={silentRefusalOf(finding, silentHosts)}>
      {repair.words}
    </PlanLink>
  )
}
