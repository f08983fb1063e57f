import { errorCode } from '../error-code'

const DEADLOCK = '40P01'

/** Whether the database has ended this of two transactions that waited for each other. */
export const isDeadlock = (error: unknown): boolean => errorCode(error) === DEADLOCK
