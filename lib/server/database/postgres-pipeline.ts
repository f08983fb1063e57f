import 'server-only'
import pg from 'pg'
import type { Write } from './database'
import type { Statement } from './statement'

/** node-postgres's connection, with the statements that it has prepared, texts by name. */
type Wire = pg.Connection & { parsedStatements: Record<string, string> }

const leaveOut = (): void => undefined

/** Gives back what it had prepared. */
const sendWrites = (wire: Wire, writes: readonly Write[]): Statement[] => {
  const sent = new Map<string, Statement>()
  for (const { statement, params } of writes) {
    const { name, text } = statement
    if (wire.parsedStatements[name] === undefined && !sent.has(name)) {
      wire.parse({ name, text, types: [] }, true)
      sent.set(name, statement)
    }
    wire.bind({ statement: name, values: [...params] }, true)
    wire.execute({}, true)
  }
  return [...sent.values()]
}

/** Notes each statement as the server has prepared it: it stays so, whatever becomes of the message. Gives back what ends that. */
const followPrepared = (wire: Wire, sent: readonly Statement[]): (() => void) => {
  if (sent.length === 0) return leaveOut
  const coming = sent.values()
  const note = (): void => {
    const { value } = coming.next()
    if (value !== undefined) wire.parsedStatements[value.name] = value.text
  }
  wire.on('parseComplete', note)
  return () => wire.off('parseComplete', note)
}

/** The writes as a query that node-postgres sends when it is its turn; what it then calls with what comes back. */
const createPipeline = (
  writes: readonly Write[],
  { resolve, reject }: { resolve: () => void; reject: (error: unknown) => void },
) => {
  let unfollow = leaveOut
  return {
    submit: (connection: pg.Connection): void => {
      const wire = connection as Wire
      wire.stream.cork()
      try {
        unfollow = followPrepared(wire, sendWrites(wire, writes))
        wire.sync()
      } finally {
        wire.stream.uncork()
      }
    },
    handleError: (error: unknown): void => {
      unfollow()
      reject(error)
    },
    /** Comes after the commit, and not after an error. */
    handleReadyForQuery: (): void => {
      unfollow()
      resolve()
    },
    handleRowDescription: leaveOut,
    handleDataRow: leaveOut,
    handleCommandComplete: leaveOut,
    handleEmptyQuery: leaveOut,
  }
}

/** An error that the server told, after which it goes on with the next message. */
const isOfStatement = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR'

/**
 * Sends all writes in one go, without waiting for the answer to one before the next is sent. PostgreSQL takes what stands before
 * one Sync message as one transaction: it commits there, or after an error leaves all of it out.
 */
export const runPipeline = async (pool: pg.Pool, writes: readonly Write[]): Promise<void> => {
  const client = await pool.connect()
  let isBroken = false
  try {
    await new Promise<void>((resolve, reject) => {
      client.query(createPipeline(writes, { resolve, reject }))
    })
  } catch (error) {
    isBroken = !isOfStatement(error)
    throw error
  } finally {
    client.release(isBroken)
  }
}
