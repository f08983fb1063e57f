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

// pglite-prisma-adapter 0.7.2 swallows an error of COMMIT itself (a deferred constraint, a full disk): the caller would
// take a rolled back transaction for a committed one.
const startTransaction = async (client: PGlite, isolationLevel?: IsolationLevel): Promise<Transaction> => {
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
export const createPgliteAdapter = (client: PGlite): SqlDriverAdapterFactory => {
  const factory = new PrismaPGlite(client)
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter: SqlDriverAdapter = await factory.connect()
      adapter.startTransaction = (isolationLevel) => startTransaction(client, isolationLevel)
      return adapter
    },
  }
}
