import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { plainNeeds } from '@/lib/domain/fence/plain-needs'
import { isRequired, type LimitView, limitView } from '@/lib/domain/limits/limit-view'
import { listText } from '@/lib/domain/wording'
import type { CpuDraft } from './cpu-draft'
import { PINNED } from './pinned-flavor'
import type { FenceCheck } from './preview'

const NAME = 'class:PCPU'

/** What a project without a limit of its own may have; null: unlimited. Undefined: the release is not known. */
const defaultOf = (fleet: Fleet, { effective, isUnlimitedKnown }: LimitView): number | null | undefined => {
  const row = effective.get(NAME)
  if (row !== undefined) return row.defaultLimit === -1 && isUnlimitedKnown === true ? null : row.defaultLimit
  if (isUnlimitedKnown === null) return undefined
  return isUnlimitedKnown && !isRequired(fleet, NAME) ? null : 0
}

/**
 * Pinned servers count as class:PCPU under unified limits and no longer as class:VCPU (nova/limit/placement.py): a project
 * whose limit of it is too low is refused with 403. Null: limits in Keystone have no effect, or no flavor changes.
 */
export const quotaCheck = (fleet: Fleet, { chosen }: Pick<CpuDraft, 'chosen'>): FenceCheck | null => {
  const view = limitView(fleet)
  const changed = chosen.filter(({ extraSpecs }) => extraSpecs[PINNED.key] !== PINNED.value)
  if (view === null || changed.length === 0) return null
  const names = listText(changed.map(({ name }) => name))
  const counts = `New servers of ${names} count as ${NAME} in quotas, no longer as class:VCPU`
  const most = defaultOf(fleet, view)
  const wayOut = `On Quotas give the projects that use ${names} a limit of ${NAME}, or set [workarounds] unified_limits_count_pcpu_as_vcpu for Nova's API.`
  if (most === undefined)
    return {
      text: `${counts}; what a project without a limit of it may have depends on Nova's release, which could not be read.`,
      isMet: null,
      wayOut,
    }
  const [needed = 0] = changed
    .map((flavor) => {
      const { VCPU, PCPU } = plainNeeds(flavor)
      return VCPU + PCPU
    })
    .toSorted((a, b) => a - b)
  if (most === null || most >= needed)
    return {
      text: `${counts}; a project without a limit of its own may have ${most ?? 'any number'} of it.`,
      isMet: true,
      wayOut: null,
    }
  return {
    text: `${counts}, and a project without a limit of its own may have ${most} of it: Nova refuses its servers with 403.`,
    isMet: false,
    wayOut,
  }
}
