import 'server-only'
import { headers } from 'next/headers'
import { getRuntime } from '@/lib/server/context/runtime'
import type { SignIn } from '@/lib/server/context/sign-in'
import { type Caller, findCaller } from '../session/find-caller'
import { requestFacts } from '../session/request-facts'

/** What the sign-in page knows of who comes. */
export const loginContext = async (): Promise<{ signIn: SignIn | null; caller: Caller }> => {
  const given = await headers()
  const runtime = getRuntime()
  // An API token is no way to a page.
  const facts = { ...requestFacts((name) => given.get(name)), authorization: null }
  return { signIn: runtime.signIn, caller: await findCaller(runtime, facts) }
}
