import 'server-only'
import { isOpenStackError, type OpenStackError } from '@/lib/openstack/openstack-error'
import { errorCode } from './error-code'
import { isServiceError, ServiceError, type ServiceErrorCode } from './service-error'

type Mapping = { code: ServiceErrorCode; message: string; retryAfterSeconds?: number }

const EXISTS: Mapping = {
  code: 'conflict',
  message: 'Something of that name exists already: choose another name.',
}
const REFERRED: Mapping = {
  code: 'conflict',
  message: 'It refers to something that has gone: reload and try again.',
}
const GONE: Mapping = { code: 'not_found', message: 'It no longer exists. Reload the page.' }
const RACE: Mapping = {
  code: 'unavailable',
  message: 'Another change came at the same moment: try again.',
  retryAfterSeconds: 1,
}
const AWAY: Mapping = {
  code: 'unavailable',
  message: 'The database does not answer: try again in a few seconds.',
  retryAfterSeconds: 5,
}
const FULL: Mapping = {
  code: 'unavailable',
  message: 'The database has no free disk space or memory. Its log has the details.',
  retryAfterSeconds: 30,
}
const READ_ONLY: Mapping = {
  code: 'unavailable',
  message:
    'The database accepts no writes now, because its disk is full or it is a standby. Reading still works.',
  retryAfterSeconds: 30,
}

/** A value that a schema should have refused; the log has the detail. */
const UNSTORABLE: Mapping = {
  code: 'validation',
  message: 'A value is out of range or has characters that cannot be stored: correct it and try again.',
}

/** By the code of Prisma (P....), PostgreSQL (five characters) or Node (E...). */
const BY_CODE: Record<string, Mapping> = {
  P2002: EXISTS,
  '23505': EXISTS,
  P2003: REFERRED,
  '23503': REFERRED,
  P2025: GONE,
  P2028: RACE,
  P2034: RACE,
  P2000: UNSTORABLE,
  P2020: UNSTORABLE,
  '22001': UNSTORABLE,
  '22003': UNSTORABLE,
  '22007': UNSTORABLE,
  '22008': UNSTORABLE,
  '22021': UNSTORABLE,
  '22P02': UNSTORABLE,
  '22P05': UNSTORABLE,
  '40001': RACE,
  '40P01': RACE,
  '55P03': RACE,
  P1001: AWAY,
  P1002: AWAY,
  P1008: AWAY,
  P1017: AWAY,
  P2024: AWAY,
  P2037: AWAY,
  '53300': AWAY,
  '53100': FULL,
  '53200': FULL,
  '25006': READ_ONLY,
  '57P01': AWAY,
  '57P02': AWAY,
  '57P03': AWAY,
  '08000': AWAY,
  '08003': AWAY,
  '08006': AWAY,
  ECONNREFUSED: AWAY,
  ECONNRESET: AWAY,
  EPIPE: AWAY,
  ETIMEDOUT: AWAY,
}

/** pg gives these no code. */
const CONNECTION_LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered)/

/** Whether pg reports that its connection was lost, or that none was available. */
export const isConnectionLost = (error: unknown): boolean =>
  error instanceof Error && CONNECTION_LOST.test(error.message)

const mappingOf = (error: unknown): Mapping | undefined =>
  BY_CODE[errorCode(error) ?? ''] ?? (isConnectionLost(error) ? AWAY : undefined)

/** An error of a cloud's service; the message names the service and the cloud and contains no secret. */
const upstreamError = (error: OpenStackError): ServiceError =>
  new ServiceError('upstream', error.message, {
    cause: error,
    ...(error.retryAfterSeconds === null ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
  })

/** Any error as one that may be shown. An unexpected error becomes `internal`, and its details stay in the log. */
export const toServiceError = (error: unknown): ServiceError => {
  if (isServiceError(error)) return error
  if (isOpenStackError(error)) return upstreamError(error)
  const mapping = mappingOf(error)
  if (mapping) {
    const { code, message, retryAfterSeconds } = mapping
    return new ServiceError(code, message, {
      cause: error,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    })
  }
  return new ServiceError(
    'internal',
    'Something went wrong in Sliceboard: its log has the detail under this request id.',
    { cause: error },
  )
}
