import 'server-only'
import { messages, type PGlite } from '@electric-sql/pglite'
import {
  DriverAdapterError,
  type IsolationLevel,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
  type Transaction,
} from '@prisma/driver-adapter-utils'
import { PrismaPGlite } from 'pglite-prisma-adapter'

const asAdapterError = (error: unknown): unknown => {
  if (!(error instanceof messages.DatabaseError)) return error
  return new DriverAdapterError({
    kind: 'postgres',
    code: error.code ?? 'XX000',
    severity: error.severity ?? 'ERROR',
    message: error.message,
    detail: error.detail,
    column: error.column,
    hint: error.hint,
  })
}

type PgliteInput = {
  client: PGlite
  /** Called before each statement of a transaction; throws to refuse it. */
  beforeStatement: () => void
}

// pglite-prisma-adapter 0.7.2 swallows an error of COMMIT itself (a deferred constraint, a full disk): the caller would
// take a rolled back transaction for a committed one.
const startTransaction = async (
  { client, beforeStatement }: PgliteInput,
  isolationLevel?: IsolationLevel,
): Promise<Transaction> => {
  let outcome: Promise<unknown> = Promise.resolve()
  const recording = new Proxy(client, {
    get: (target, property) => {
      const value: unknown = Reflect.get(target, property, target)
      if (typeof value !== 'function') return value
      if (property !== 'transaction') return value.bind(target)
      return (...args: Parameters<PGlite['transaction']>) => {
        const result = target.transaction(...args)
        outcome = result
        return result
      }
    },
  })
  const adapter = await new PrismaPGlite(recording).connect()
  const transaction = await adapter.startTransaction(isolationLevel)
  const { queryRaw, executeRaw } = transaction
  transaction.queryRaw = async (query) => {
    beforeStatement()
    return queryRaw.call(transaction, query)
  }
  transaction.executeRaw = async (query) => {
    beforeStatement()
    return executeRaw.call(transaction, query)
  }
  const commit = transaction.commit.bind(transaction)
  transaction.commit = async () => {
    await commit()
    await outcome.catch((error: unknown) => {
      throw asAdapterError(error)
    })
  }
  return transaction
}

/** Prisma on PGlite, with a COMMIT that reports its failure. */
export const createPgliteAdapter = (input: PgliteInput): SqlDriverAdapterFactory => {
  const factory = new PrismaPGlite(input.client)
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter: SqlDriverAdapter = await factory.connect()
      adapter.startTransaction = (isolationLevel) => startTransaction(input, isolationLevel)
      return adapter
    },
  }
}
