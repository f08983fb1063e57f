import { existsSync } from 'node:fs'
import path from 'node:path'
import type { CreateJoinToken } from '@/lib/schemas/api/agent-inputs'
import { createdJoinTokenSchema } from '@/lib/schemas/api/agents'
import { apiPaths } from '@/lib/util/paths'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import { DemoError } from './demo-options'

/** Whether agents without a credential are about to start. */
export const needsJoinToken = (agentsDirectory: string, hostNames: string[]): boolean =>
  hostNames.some((name) => !existsSync(path.join(agentsDirectory, name, 'credential.json')))

const post = async (
  consoleUrl: string,
  { path, body, cookie = '' }: { path: string; body: unknown; cookie?: string },
) => {
  const response = await fetch(new URL(path, consoleUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  })
  if (response.ok) return response
  throw new DemoError(`The console refused ${path} (${response.status}): ${await response.text()}`)
}

const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((text) => text.split(';', 1)[0])
    .join('; ')

/** Signs in as the demo's admin, with the system as scope; answers the cookie to send. */
const signInAsAdmin = async (consoleUrl: string, cloud: string): Promise<string> => {
  const { name, password, domain } = DEMO_ACCOUNTS.admin
  const signedIn = await post(consoleUrl, {
    path: apiPaths.session(),
    body: { cloud, name, password, domain },
  })
  const scoped = await post(consoleUrl, {
    path: apiPaths.sessionScope(),
    body: { kind: 'system' },
    cookie: cookiesOf(signedIn),
  })
  return cookiesOf(scoped)
}

/** A join token from the console's own API, as the Settings page would make it. */
export const createJoinToken = async (
  consoleUrl: string,
  { cloud, hasSignIn }: { cloud: string; hasSignIn: boolean },
): Promise<string> => {
  const cookie = hasSignIn ? await signInAsAdmin(consoleUrl, cloud) : ''
  const input: CreateJoinToken = { cloud, label: 'demo', lifetimeMinutes: 60, maxUses: 100, hostName: null }
  const response = await post(consoleUrl, { path: apiPaths.joinTokens(), body: input, cookie })
  return createdJoinTokenSchema.parse(await response.json()).token
}
