import 'server-only'
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { assertOutsideTransaction } from './open-transactions'

/** As long as a statement may take; Prisma's own limit is 5 s. */
export const TRANSACTION_OPTIONS = { maxWait: 60_000, timeout: 60_000 }

/** Refuses Prisma's statements beside the transaction that their caller has open, as `Database.query` does. */
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
