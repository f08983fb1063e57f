import 'server-only'
import { type OpenStackError, SERVICE_TITLES } from '@/lib/openstack/openstack-error'
import { ServiceError } from '@/lib/server/errors/service-error'

/** Keystone no longer accepts the token of the person. */
export const isSignInEnd = ({ service, kind }: OpenStackError): boolean =>
  service === 'keystone' && kind === 'auth'

export const signInEnded = (): ServiceError =>
  new ServiceError('unauthorized', 'Your sign-in to the cloud has ended: sign in again.')

/** Why a service gives no answer, for a tenant: without addresses and texts of the cloud. */
export const describeFailure = ({ service, kind, status }: OpenStackError): string => {
  const title = SERVICE_TITLES[service]
  if (kind === 'refused-endpoint') return `the service catalog has no ${title} for this console`
  if (status === 401) return `${title} does not accept your sign-in`
  if (status === 403) return `${title} does not allow it to your role`
  return kind === 'invalid-answer' ? `${title} returned an invalid response` : `${title} does not respond`
}
