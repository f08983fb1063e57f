import 'server-only'
import * as z from 'zod'
import type { Query } from '@/lib/server/database/database'

export type Notice = { hasCommands: boolean; isAwaited: boolean }

export type CommandCache = {
  /** Whether a host has commands to fetch, and whether a change waits for its reports; at once where that was asked just now. */
  of: (hostId: number) => Notice | Promise<Notice>
}

// SQL: one statement for all hosts, by the host that a step names.
/** Steps that only a host's own report ticks off: those of agents, of operators, and all of a change by hand. */
const LIST = `
SELECT host_id AS "hostId", true AS "hasCommands" FROM agent_command WHERE state IN ('queued', 'delivered')
UNION
SELECT h.id, false FROM change ch JOIN change_step s ON s.change_id = ch.id
JOIN current_host h ON h.cloud_id = ch.cloud_id AND h.name = s.body->'task'->>'host'
WHERE ch.state IN ('running', 'undoing') AND s.state IN ('running', 'waiting', 'blocked')
  AND (ch.is_by_hand OR s.body->>'doer' <> 'console')`

const noticeRow = z.object({ hostId: z.int(), hasCommands: z.boolean() })

const NOTHING: Notice = { hasCommands: false, isAwaited: false }

/** Every host checks with each heartbeat, so the database is queried once for all of them, every `freshMs`. */
export const createCommandCache = ({
  query,
  freshMs,
  nowMs = () => performance.now(),
}: {
  query: Query
  freshMs: number
  nowMs?: () => number
}): CommandCache => {
  let reading: Promise<Map<number, Notice>> = Promise.resolve(new Map())
  /** What the last reading found, once it has ended. */
  let known: ReadonlyMap<number, Notice> | null = null
  let readAtMs = Number.NEGATIVE_INFINITY

  const read = async (): Promise<Map<number, Notice>> => {
    const found = new Map<number, Notice>()
    for (const { hostId, hasCommands } of await query(LIST, [], noticeRow)) {
      const held = found.get(hostId)?.hasCommands ?? false
      found.set(hostId, { hasCommands: hasCommands || held, isAwaited: true })
    }
    return found
  }

  const begin = (): void => {
    const own = read()
    reading = own
    known = null
    readAtMs = nowMs()
    own.then(
      (found) => {
        if (reading === own) known = found
      },
      () => {
        readAtMs = Number.NEGATIVE_INFINITY
      },
    )
  }

  return {
    of: (hostId) => {
      if (nowMs() - readAtMs >= freshMs) begin()
      if (known !== null) return known.get(hostId) ?? NOTHING
      return reading.then((found) => found.get(hostId) ?? NOTHING)
    },
  }
}
