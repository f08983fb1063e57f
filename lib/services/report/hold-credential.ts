import 'server-only'
import type { Query } from '@/lib/server/database/database'
import { AgentError } from '@/lib/server/errors/agent-error'
import type { AgentActor } from './group-member'

// SQL: Prisma's client has no row locks. Revocation waits for this lock, so an agent writes nothing after its revocation.
const HOLD = `
SELECT 1 FROM agent_credential WHERE id = $1 AND host_id = $2 AND revoked_at IS NULL FOR SHARE`

/** Keeps the agent's credential valid until the transaction ends. Throws `unauthorized` when it was revoked. */
export const holdCredential = async (query: Query, actor: AgentActor): Promise<void> => {
  if ((await query(HOLD, [actor.credentialId, actor.hostId])).length === 0)
    throw new AgentError(
      'unauthorized',
      'The credential was revoked or replaced by a newer enrollment. Enroll the host again with a join token.',
    )
}
