import 'server-only'
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { assertOutsideTransaction } from './open-transactions'

const HOUR_MS = 3_600_000

/** Prisma's limits are 2 s and 5 s. The database ends a statement or a pause that is too long (open-postgres.ts). */
export const TRANSACTION_OPTIONS = { maxWait: HOUR_MS, timeout: HOUR_MS }

/** Refuses Prisma's statements outside the transaction that their caller has open, as `Database.query` does. */
export const outsideTransactions = (
  factory: SqlDriverAdapterFactory,
  before: () => Promise<void> = async () => undefined,
): SqlDriverAdapterFactory => ({
  provider: factory.provider,
  adapterName: factory.adapterName,
  connect: async () => {
    const adapter = await factory.connect()
    const { queryRaw, executeRaw } = adapter
    const guarded =
      <Input, Output>(run: (input: Input) => Promise<Output>) =>
      async (input: Input): Promise<Output> => {
        assertOutsideTransaction()
        await before()
        return run.call(adapter, input)
      }
    adapter.queryRaw = guarded(queryRaw)
    adapter.executeRaw = guarded(executeRaw)
    return adapter
  },
})
