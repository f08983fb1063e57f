import 'server-only'
import pg from 'pg'
import type { Write } from './database'

/** node-postgres's connection, with the statements that it has prepared, texts by name. */
type Wire = pg.Connection & { parsedStatements: Record<string, string> }

const sendWrites = (wire: Wire, writes: readonly Write[]): void => {
  const sent = new Set<string>()
  for (const { statement, params } of writes) {
    const { name, text } = statement
    if (wire.parsedStatements[name] === undefined && !sent.has(name)) {
      // It may be there from a message that failed further on. To close what is not there is no error.
      wire.close({ type: 'S', name }, true)
      wire.parse({ name, text, types: [] }, true)
      sent.add(name)
    }
    wire.bind({ statement: name, values: [...params] }, true)
    wire.execute({}, true)
  }
}

const leaveOut = (): void => undefined

/** The writes as a query that node-postgres sends when it is its turn; what it then calls with what comes back. */
const createPipeline = (
  writes: readonly Write[],
  { resolve, reject }: { resolve: () => void; reject: (error: unknown) => void },
) => {
  let wire: Wire | null = null
  return {
    submit: (connection: pg.Connection): void => {
      wire = connection as Wire
      wire.stream.cork()
      try {
        sendWrites(wire, writes)
        wire.sync()
      } finally {
        wire.stream.uncork()
      }
    },
    handleError: reject,
    /** Comes after the commit, and not after an error. */
    handleReadyForQuery: (): void => {
      if (wire !== null)
        for (const { statement } of writes) wire.parsedStatements[statement.name] = statement.text
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
