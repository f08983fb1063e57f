import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { SqlDriverAdapterFactory, SqlQueryable, Transaction } from '@prisma/driver-adapter-utils'
import type { Prisma, PrismaClient } from '../prisma-client/client'
import { assertOutsideTransaction, withinTransaction } from './open-transactions'

/** Prisma's limits are 2 s and 5 s. The database ends a statement or a pause that is too long (open-postgres.ts). */
const NO_LIMIT_MS = 2 ** 31 - 1

/** The transaction that is opened in this context. */
type OpenedTransaction = { isOver: boolean }
const opened = new AsyncLocalStorage<OpenedTransaction>()

/**
 * Runs `work` in a transaction of Prisma. `assertOpen` throws once Prisma has ended it, also where that was before `work` ended:
 * a statement would then run outside of it.
 */
export const inTransaction = <T>(
  prisma: PrismaClient,
  work: (transaction: Prisma.TransactionClient, assertOpen: () => void) => Promise<T>,
  limitMs = NO_LIMIT_MS,
): Promise<T> => {
  const state: OpenedTransaction = { isOver: false }
  const assertOpen = (): void => {
    if (state.isOver) throw new Error('The transaction is over.')
  }
  return opened.run(state, () =>
    prisma.$transaction((transaction) => withinTransaction(() => work(transaction, assertOpen)), {
      maxWait: NO_LIMIT_MS,
      timeout: limitMs,
    }),
  )
}

/** Calls `before` ahead of each statement. */
const guardStatements = (queryable: SqlQueryable, before: (sql: string) => Promise<void>): void => {
  const { queryRaw, executeRaw } = queryable
  queryable.queryRaw = async (query) => {
    await before(query.sql)
    return queryRaw.call(queryable, query)
  }
  queryable.executeRaw = async (query) => {
    await before(query.sql)
    return executeRaw.call(queryable, query)
  }
}

/** Notes when the transaction ends: the drivers differ in whether Prisma sends COMMIT and ROLLBACK as statements. */
const guardTransaction = (
  transaction: Transaction,
  { state, beforeStatement }: { state: OpenedTransaction | undefined; beforeStatement: () => void },
): void => {
  const end = (): void => {
    if (state !== undefined) state.isOver = true
  }
  guardStatements(transaction, async (sql) => {
    if (sql === 'COMMIT' || sql === 'ROLLBACK') end()
    else beforeStatement()
  })
  const { commit, rollback } = transaction
  transaction.commit = () => {
    end()
    return commit.call(transaction)
  }
  transaction.rollback = () => {
    end()
    return rollback.call(transaction)
  }
}

/**
 * Refuses Prisma's statements and transactions outside the transaction that their caller has open, as `Database.query` does.
 * `before` runs ahead of each of them, `beforeStatement` ahead of each statement of a transaction; it throws to refuse it.
 */
export const guardAdapter = (
  factory: SqlDriverAdapterFactory,
  {
    before = async () => undefined,
    beforeStatement = () => undefined,
  }: { before?: () => Promise<void>; beforeStatement?: () => void } = {},
): SqlDriverAdapterFactory => ({
  provider: factory.provider,
  adapterName: factory.adapterName,
  connect: async () => {
    const adapter = await factory.connect()
    const check = async (): Promise<void> => {
      assertOutsideTransaction()
      await before()
    }
    guardStatements(adapter, check)
    const { startTransaction } = adapter
    adapter.startTransaction = async (isolationLevel) => {
      const state = opened.getStore()
      await check()
      const transaction = await startTransaction.call(adapter, isolationLevel)
      guardTransaction(transaction, { state, beforeStatement })
      return transaction
    }
    return adapter
  },
})
