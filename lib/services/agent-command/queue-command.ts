import 'server-only'
import { randomUUID } from 'node:crypto'
import type { AgentCommand } from '@/lib/schemas/agent/command'
import type { Connection } from '@/lib/server/database/database'
import { jsonValue } from '@/lib/server/database/json-value'
import { idRow } from '@/lib/server/database/row'
import type { CommandSigner } from './command-signer'

/** Until then the agent may begin; the console's and the host's clock may differ by some minutes. */
const LIFETIME_MS = 10 * 60_000

// SQL: Prisma's client does not know the view.
const FIND_HOST = 'SELECT id FROM current_host WHERE cloud_id = $1 AND name = $2'

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
  { prisma, query }: Connection,
  { signed, revision, at }: { signed: Signed; revision: number; at: Date },
): Promise<void> => {
  const { host, command, ...rest } = signed
  const [row] = await query(FIND_HOST, [signed.cloudId, host], idRow)
  if (row === undefined) throw new Error(`host ${host} is not known any more`)
  await prisma.agentCommand.create({
    data: { ...rest, hostId: row.id, revision, command: jsonValue(command), queuedAt: at },
    select: { id: true },
  })
}
