import 'server-only'
import * as z from 'zod'
import type { Query } from './database'
import { createQuery } from './row'

/** How far the replica may be behind before its answers are not wanted. */
const MAX_LAG_MS = 120_000
const CHECK_EVERY_MS = 10_000

/** Consoles renew their leases constantly, so the newest lease on the replica shows its lag. */
const NEWEST = `SELECT (extract(epoch FROM max(until)) * 1000)::float8 AS newest FROM lease`

const newestRow = z.object({ newest: z.number().nullable() })

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Why the replica is not read at present; null: it is. */
export type ReplicaState = string | null

/**
 * Reads on a replica while it answers and follows, else on the primary: a replica that is unavailable, behind or of
 * another database only makes reading slower. `onState` is called whenever that changes.
 */
export const createReplicaQuery = ({
  primary,
  replica,
  now = Date.now,
  onState = () => undefined,
}: {
  primary: Query
  replica: Query
  now?: () => number
  onState?: (state: ReplicaState) => void
}): Query => {
  let state: ReplicaState = null
  let checkedAt = Number.NEGATIVE_INFINITY
  let checking: Promise<void> | null = null

  const setState = (next: ReplicaState): void => {
    if (next !== state) onState(next)
    state = next
  }

  const newestOn = async (query: Query): Promise<number> => {
    const [row] = await query(NEWEST, [], newestRow)
    return row?.newest ?? 0
  }

  const check = async (): Promise<void> => {
    try {
      const behindMs = (await newestOn(primary)) - (await newestOn(replica))
      setState(behindMs > MAX_LAG_MS ? `it is ${Math.round(behindMs / 1000)} s behind` : null)
    } catch (error) {
      setState(reasonOf(error))
    }
    checkedAt = now()
  }

  const isFit = async (): Promise<boolean> => {
    if (now() - checkedAt >= CHECK_EVERY_MS) {
      checking ??= check().finally(() => {
        checking = null
      })
      await checking
    }
    return state === null
  }

  return createQuery(async (sql, params) => {
    if (!(await isFit())) return primary(sql, params)
    try {
      return await replica(sql, params)
    } catch (error) {
      // A mistake in the statement is the primary's to say.
      const rows = await primary(sql, params)
      setState(reasonOf(error))
      return rows
    }
  })
}
