import { silentRefusal } from '@/components/shell/old-report'
import type { FindingDetail } from '@/lib/schemas/api/finding'
import {
  newFlavorPath,
  newOrphansPath,
  newReservationPath,
  newTraitsPath,
  newTypePath,
} from '@/lib/util/paths'

/** Repaired by the lost traits themselves, which no naming rule may know. */
const BY_LOST_TRAITS = ['trait-lost', 'kept-trait-taken-off']

const BY_TYPE = [
  'type-not-supported',
  'no-type-configured',
  'used-type-not-configured',
  'sriov-over-promise',
  'vfs-without-type',
]

/** These are errors in the flavor's extra specs. */
const BY_FLAVOR = [
  'flavor-trait-suffix',
  'flavor-trait-unknown',
  'flavor-group-policy-missing',
  'flavor-first-vgpu-only',
  'flavor-value-ignored',
  'flavor-value-refused',
  'flavor-class-without-inventory',
  'flavor-lands-nowhere',
  'types-not-told-apart',
]

type Found = Pick<FindingDetail, 'code' | 'subject' | 'state' | 'sourceToCorrect' | 'command'>
type Repair = { path: string; words: string }

/** For free GPUs that cannot be scheduled: by more headroom, by a flavor, or by a command. */
const repairOfHost = (
  { code, sourceToCorrect, command }: Found,
  host: string,
  cloud: string | null,
): Repair | null => {
  const isShortOfHeadroom =
    code === 'last-gpu-tight' || (code === 'vgpus-stranded' && sourceToCorrect === null)
  if (isShortOfHeadroom) return { path: newReservationPath({ cloud, host }), words: 'Reserve capacity' }
  return code === 'vgpus-stranded' && command === null
    ? { path: newFlavorPath({ cloud }), words: 'Create flavor' }
    : null
}

/** The change that repairs a finding, and its name; null: none does yet. */
export const repairOf = (finding: Found, cloud: string | null): Repair | null => {
  const { code, subject, state } = finding
  if (state === 'closed') return null
  if (subject.kind === 'flavor')
    return BY_FLAVOR.includes(code)
      ? { path: newFlavorPath({ cloud, flavors: [subject.id] }), words: 'Change flavor' }
      : null
  if (subject.kind === 'host') return repairOfHost(finding, subject.host, cloud)
  if (subject.kind !== 'pgpu') return null
  const gpus = [subject]
  if (code === 'orphan-mdevs') return { path: newOrphansPath({ cloud, gpus }), words: 'Remove orphans' }
  if (BY_LOST_TRAITS.includes(code))
    return { path: newTraitsPath({ cloud, gpus, isLost: true }), words: 'Restore traits' }
  if (code === 'trait-names-other-type')
    return { path: newTraitsPath({ cloud, gpus }), words: 'Tag with traits' }
  return BY_TYPE.includes(code) ? { path: newTypePath({ cloud, gpus }), words: 'Change type' } : null
}

/** Why what repairs a finding can't be planned now: it is about a host whose agent is silent. Null: it can. */
export const silentRefusalOf = (
  { subject }: Pick<Found, 'subject'>,
  silentHosts: { has: (host: string) => boolean },
): string | null => {
  const host = 'host' in subject ? subject.host : null
  return host === null ? null : silentRefusal({ host, isSilent: silentHosts.has(host) })
}
