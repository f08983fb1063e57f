import { describeRefusal } from '@/lib/domain/access/describe-refusal'
import { isAllowed } from '@/lib/domain/access/permissions'
import type { TrackedFinding } from '@/lib/schemas/api/finding'
import type { Role } from '@/lib/schemas/roles'

/** Why the finding cannot be acknowledged, or not by this person; null: it can be. A role of null is not loaded yet. */
export const whyNotAcknowledge = (
  { state }: Pick<TrackedFinding, 'state'>,
  role: Role | null,
): string | null => {
  if (role === null) return 'Your role is being loaded.'
  if (!isAllowed({ roles: [role], action: 'finding.acknowledge' }))
    return describeRefusal('finding.acknowledge')
  return state === 'closed' ? 'It is closed: the trouble is gone, so there is nothing to acknowledge.' : null
}
