import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { randomUUID } from 'node:crypto'
import type { AgentCommand } from '@/lib/schemas/agent/command'
import type { Query } from '@/lib/server/database/database'
import type { CommandSigner } from './command-signer'

/** Until then the agent may begin; the console's and the host's clock may differ by some minutes. */
const LIFETIME_MS = 10 * 60_000

const FIND_HOST = 'SELECT id FROM current_host WHERE cloud_id = $1 AND name = $2'

const INSERT = `
INSERT INTO agent_command (id, cloud_id, host_id, change_id, position, revision, is_undo, command, order_text, signature,
  queued_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10, $11::timestamptz, $12::timestamptz)`

export type CommandDraft = {
  cloudId: number
  changeId: number
  position: number
  isUndo: boolean
  host: string
  command: AgentCommand
}

type Signed = CommandDraft & { id: string; order: string; signature: string; expiresAt: Date }

/** Signs an order for a step; it becomes one with `queueCommand`, in the transaction that records the step's intent. */
export const signCommand = async (signer: CommandSigner, draft: CommandDraft, now: Date): Promise<Signed> => {
  const id = randomUUID()
  const expiresAt = new Date(now.getTime() + LIFETIME_MS)
  const { cloudId, host, changeId, position, isUndo, command } = draft
  const step = `change:${changeId}/step:${position + 1}${isUndo ? '/undo' : ''}`
  const order = { version: 1 as const, id, host, step, expiresAt: expiresAt.toISOString(), command }
  return { ...draft, id, expiresAt, ...(await signer.sign(cloudId, order)) }
}

/** Puts a signed order into the host's queue; one per intent of a step, by the table's key. */
export const queueCommand = async (
  query: Query,
  { signed, revision, at }: { signed: Signed; revision: number; at: Date },
): Promise<void> => {
  const { id, cloudId, host, changeId, position, isUndo, command, order, signature, expiresAt } = signed
  const [row] = await query(FIND_HOST, [cloudId, host], uncheckedRow<{ id: number }>())
  if (row === undefined) throw new Error(`host ${host} is not known any more`)
  const step = [changeId, position, revision, isUndo]
  await query(INSERT, [
    id,
    cloudId,
    row.id,
    ...step,
    JSON.stringify(command),
    order,
    signature,
    at,
    expiresAt,
  ])
}
