import { errorCode } from '@/lib/server/errors/error-code'

const DEADLOCK = '40P01'

/** Whether the database has ended this of two transactions that waited for each other. */
const isDeadlock = (error: unknown): boolean => errorCode(error) === DEADLOCK

/** Runs a transaction once more where the database ended it because of a deadlock. */
export const retryDeadlock = <T>(run: () => Promise<T>): Promise<T> =>
  run().catch((error: unknown) => {
    if (!isDeadlock(error)) throw error
    return run()
  })
