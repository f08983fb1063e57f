import 'server-only'
import * as z from 'zod'
import type { Connection, Query } from '@/lib/server/database/database'
import { closeHostFindings } from '@/lib/services/finding/close-host-findings'
import { endHistory } from './host-history'

// SQL: one statement deletes the traits and returns what the audit shows.
const END_TRAITS = 'DELETE FROM kept_trait WHERE cloud_id = $1 AND host = $2 RETURNING address, trait'
const traitRow = z.object({ address: z.string(), trait: z.string() })
// SQL: readers compare the number of the transaction.
const REMOVE = `
UPDATE host SET removed_at = coalesce(removed_at, $2::timestamptz), removed_by = coalesce(removed_by, $3),
  removed_reason = coalesce(removed_reason, $4), merged_into_id = $5::int,
  changed_xid = pg_current_xact_id()::text::bigint WHERE id = $1`

type Ended = {
  cloudId: number
  host: { id: number; name: string }
  at: Date
  /** When its history ends; a host that is merged ended when the other one began. */
  historyEndsAt: Date
  actor: string
  reason: string
  mergedIntoId: number | null
  /** Shown with its resolved findings. */
  note: string
}

/** What the removal ended, for the audit. */
export type EndedHost = {
  revokedCredentialIds: number[]
  withdrawnCommands: number
  managedTraits: string[]
  resolvedFindings: number
}

/** Removes a host whose row is locked: from the commit on no reader of current hosts finds it, and its agent writes nothing. */
export const endHost = async (connection: Connection, ended: Ended): Promise<EndedHost> => {
  const { query, prisma } = connection
  const { cloudId, host, at, actor, reason, note } = ended
  const credentials = await prisma.agentCredential.updateManyAndReturn({
    where: { hostId: host.id, revokedAt: null },
    data: { revokedAt: at },
    select: { id: true },
  })
  const commands = await prisma.agentCommand.updateMany({
    where: { hostId: host.id, state: { in: ['queued', 'delivered'] } },
    data: { state: 'withdrawn', isSettled: true, endedAt: at },
  })
  const traits = await query(END_TRAITS, [cloudId, host.name], traitRow)
  await prisma.providerTraits.deleteMany({ where: { cloudId, host: host.name } })
  const resolvedFindings = await closeHostFindings(query, { cloudId, host: host.name, at, actor, note })
  await endHistory(query, [host.id], ended.historyEndsAt)
  await query(REMOVE, [host.id, at, actor, reason, ended.mergedIntoId])
  return {
    revokedCredentialIds: credentials.map(({ id }) => id),
    withdrawnCommands: commands.count,
    managedTraits: traits.map(({ address, trait }) => `${address} ${trait}`),
    resolvedFindings,
  }
}

// SQL: steps are searched within their JSON.
const ACTIVE_CHANGE = `
SELECT ch.id, ch.title, n.host FROM change ch CROSS JOIN unnest($2::text[]) AS n (host)
WHERE ch.cloud_id = $1 AND ch.state IN ('running', 'stopped', 'undoing') AND (
  EXISTS (SELECT 1 FROM change_claim cl WHERE cl.change_id = ch.id AND cl.host = n.host)
  OR EXISTS (SELECT 1 FROM change_step s WHERE s.change_id = ch.id AND s.body->'task'->>'host' = n.host))
ORDER BY ch.id LIMIT 1`

const activeChangeRow = z.object({ id: z.int(), title: z.string(), host: z.string() })

/** A change that acts on one of the hosts and has not ended; null: none does. */
export const activeChangeOn = async (
  query: Query,
  { cloudId, hosts }: { cloudId: number; hosts: readonly string[] },
): Promise<z.infer<typeof activeChangeRow> | null> => {
  const [found] = await query(ACTIVE_CHANGE, [cloudId, hosts], activeChangeRow)
  return found ?? null
}
