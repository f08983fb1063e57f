import 'server-only'
import * as z from 'zod'
import { SERVER_REQUEST_STATES } from '@/lib/schemas/states'
import type { Query } from '@/lib/server/database/database'
import { SERVICE_ERROR_CODES } from '@/lib/server/errors/service-error'

// SQL: an insert that reports whether it was the first one with its key.

const RETAINED_MS = 7 * 24 * 3600_000

const BEGIN = `
INSERT INTO server_request (cloud_id, user_id, project_id, key, made_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT DO NOTHING RETURNING key`
const FIND = `
SELECT state, server_uuid AS "serverUuid", message, code, made_at AS "madeAt" FROM server_request
WHERE cloud_id = $1 AND user_id = $2 AND key = $3`
const END = `
UPDATE server_request SET state = $4, server_uuid = $5, message = $6, code = $7
WHERE cloud_id = $1 AND user_id = $2 AND key = $3`
const FORGET = 'DELETE FROM server_request WHERE made_at < $1'

const keyRow = z.object({ key: z.string() })
const requestRow = z.object({
  state: z.enum(SERVER_REQUEST_STATES),
  serverUuid: z.string().nullable(),
  message: z.string().nullable(),
  code: z.enum(SERVICE_ERROR_CODES).nullable(),
  madeAt: z.date(),
})
export type ServerRequest = z.infer<typeof requestRow>

/** The confirmation of one person. */
export type RequestId = { cloudId: number; userId: string; key: string }

const keyOf = ({ cloudId, userId, key }: RequestId) => [cloudId, userId, key]

/** The earlier request with the same key; null: this is the first one, and it is stored now. */
export const beginRequest = async (
  query: Query,
  id: RequestId,
  { projectId, at }: { projectId: string; at: Date },
): Promise<ServerRequest | null> => {
  await query(FORGET, [new Date(at.getTime() - RETAINED_MS)])
  const first = await query(BEGIN, [id.cloudId, id.userId, projectId, id.key, at], keyRow)
  if (first.length > 0) return null
  const [earlier] = await query(FIND, keyOf(id), requestRow)
  if (earlier === undefined) throw new Error('a request that prevented another one is gone')
  return earlier
}

/** How a request ended. */
export const endRequest = async (
  query: Query,
  id: RequestId,
  { state, serverUuid, message, code }: Omit<ServerRequest, 'madeAt'>,
): Promise<void> => {
  await query(END, [...keyOf(id), state, serverUuid, message, code])
}
