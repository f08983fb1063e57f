import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { vgpuActionSentence } from '@/lib/domain/cloud/vgpu-actions'
import { firstVgpuOnly } from '@/lib/domain/fit/first-vgpu-only'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import type { AggregateWish } from '../flavor-steps/draft-aggregate'

const FILTER_NOTE =
  'Properties of aggregates count only where [filter_scheduler] enabled_filters of nova-scheduler names AggregateInstanceExtraSpecsFilter, which no API tells.'
const POLICY_NOTE =
  'The aggregate gets the group_policy of its flavors as a property too: that extra spec has no scope, so AggregateInstanceExtraSpecsFilter looks for it there and would leave no host without it.'

const hasSeveralVgpus = (fleet: Fleet, flavor: Flavor): boolean =>
  firstVgpuOnly(fleet, readFlavorRequest(flavor)) !== null

/** Effects of flavors and of their aggregate in Nova that no call of the plan shows. */
export const landingNotes = (
  fleet: Fleet,
  { tie, flavors }: { tie: AggregateWish | null; flavors: readonly Flavor[] },
): string[] => [
  ...(flavors.some((flavor) => hasSeveralVgpus(fleet, flavor))
    ? [vgpuActionSentence('severalVgpus', fleet.input.facts.versions)]
    : []),
  ...(Object.keys(tie?.properties ?? {}).length > 0 ? [FILTER_NOTE] : []),
  ...(tie?.properties.group_policy === undefined ? [] : [POLICY_NOTE]),
]
