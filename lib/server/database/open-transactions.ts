import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'

type OpenTransaction = { isOpen: boolean }
const storage = new AsyncLocalStorage<OpenTransaction>()

/** Marks everything that `work` calls as being within a transaction. */
export const withinTransaction = async <T>(work: () => Promise<T>): Promise<T> => {
  const transaction = { isOpen: true }
  try {
    return await storage.run(transaction, work)
  } finally {
    transaction.isOpen = false
  }
}

/**
 * A statement outside the transaction that its caller holds open would wait forever on PGlite, which has one connection,
 * and would read old data on PostgreSQL. So it fails immediately on both.
 */
export const assertOutsideTransaction = (): void => {
  if (storage.getStore()?.isOpen) {
    throw new Error('A transaction is open here: use the connection that it was given.')
  }
}
