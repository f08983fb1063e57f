import { PlanLink } from '@/components/change/plan-link'
import { newFlavorPath } from '@/lib/util/paths'

/** Leads to the builder; with flavors to a change of those. */
export const BuildLink = ({ cloud, flavors = [] }: { cloud: string | null; flavors?: readonly string[] }) => (
  <PlanLink href={newFlavorPath({ cloud, flavors })}>
    {flavors.length === 0 ? 'Create flavor' : 'Change'}
  </PlanLink>
)
