import 'server-only'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { loginPath } from '@/lib/util/paths'
import { getRuntime } from '../runtime'
import type { ServiceContext } from '../service-context'
import { findCaller } from '../session/find-caller'
import { PAGE_PATH_HEADER, requestFacts } from '../session/request-facts'
import { requestContext } from './request-context'
import { REQUEST_ID_HEADER, requestIdFrom } from './request-id'

/** Path and search of the page that is asked for. */
export const pageAddress = async (): Promise<string | null> => (await headers()).get(PAGE_PATH_HEADER)

/** What a page gives to the services that it prefetches from. Who has not signed in is sent to do it, and comes back. */
export const pageContext = async (): Promise<ServiceContext> => {
  const given = await headers()
  const runtime = getRuntime()
  // An API token is no way to a page.
  const facts = { ...requestFacts((name) => given.get(name)), authorization: null }
  const caller = await findCaller(runtime, facts)
  if (caller.state !== 'known') redirect(loginPath({ next: await pageAddress() }))
  return requestContext(runtime, requestIdFrom(given.get(REQUEST_ID_HEADER)), caller.actor)
}
