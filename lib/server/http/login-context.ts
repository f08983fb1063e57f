import 'server-only'
import { headers } from 'next/headers'
import { getRuntime } from '../runtime'
import { type Caller, findCaller } from '../session/find-caller'
import { requestFacts } from '../session/request-facts'
import type { SignIn } from '../session/sign-in'

/** What the sign-in page knows of who comes. */
export const loginContext = async (): Promise<{ signIn: SignIn | null; caller: Caller }> => {
  const given = await headers()
  const runtime = getRuntime()
  // An API token is no way to a page.
  const facts = { ...requestFacts((name) => given.get(name)), authorization: null }
  return { signIn: runtime.signIn, caller: await findCaller(runtime, facts) }
}
