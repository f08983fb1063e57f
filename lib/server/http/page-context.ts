import 'server-only'
import { headers } from 'next/headers'
import { getRuntime } from '../runtime'
import type { ServiceContext } from '../service-context'
import { requestContext } from './request-context'
import { REQUEST_ID_HEADER, requestIdFrom } from './request-id'

/** What a page gives to the services that it prefetches from. */
export const pageContext = async (): Promise<ServiceContext> => {
  const requestId = requestIdFrom((await headers()).get(REQUEST_ID_HEADER))
  return requestContext(getRuntime(), requestId)
}
