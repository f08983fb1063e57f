import 'server-only'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { requestContext } from '@/lib/server/context/request-context'
import { REQUEST_ID_HEADER, requestIdFrom } from '@/lib/server/context/request-id'
import { getRuntime } from '@/lib/server/context/runtime'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { loginPath } from '@/lib/util/paths'
import { findCaller } from '../session/find-caller'
import { PAGE_PATH_HEADER, requestFacts } from '../session/request-facts'
import { NONCE_HEADER, pageSignal } from './page-signal'

/** Path and search of the requested page. */
export const pageAddress = async (): Promise<string | null> => (await headers()).get(PAGE_PATH_HEADER)

/**
 * What a page gives to the services that it prefetches from; their work stops when the browser leaves. Who has not signed in is
 * sent to do it, and comes back.
 */
export const pageContext = async (): Promise<ServiceContext> => {
  const given = await headers()
  const runtime = getRuntime()
  // An API token is no way to a page.
  const facts = { ...requestFacts((name) => given.get(name)), authorization: null }
  const caller = await findCaller(runtime, facts)
  if (caller.state !== 'known') redirect(loginPath({ next: await pageAddress() }))
  const ctx = requestContext(runtime, requestIdFrom(given.get(REQUEST_ID_HEADER)), caller.actor)
  const signal = pageSignal(given.get(NONCE_HEADER))
  return signal === undefined ? ctx : { ...ctx, signal }
}
