import { describeRefusal, isAllowed } from '@/lib/domain/access/permissions'
import type { TrackedFinding } from '@/lib/schemas/api/finding'
import type { Role } from '@/lib/schemas/roles'

/** Why nobody, or not this person, can acknowledge a finding now; null: it can be done. Role null: not known yet. */
export const whyNotAcknowledge = (
  { state }: Pick<TrackedFinding, 'state'>,
  role: Role | null,
): string | null => {
  if (role === null) return 'Your role is still being asked for.'
  if (!isAllowed({ roles: [role], action: 'finding.acknowledge' }))
    return describeRefusal('finding.acknowledge', { roles: [role] })
  return state === 'closed' ? 'It is closed: the trouble is gone, so there is nothing to acknowledge.' : null
}
