import { AGENT_PATHS, CONTRACT_VERSION } from '@/lib/schemas/agent/report'
import type { Role } from '@/lib/schemas/roles'
import type { TokenAccess } from '@/lib/schemas/states'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import { CLOUD } from '../clouds-yaml'

/** A caller: what comes with each request, and how the console must treat it. */
export type Caller = {
  name: string
  headers: Record<string, string>
  /** Null: anonymous; `choosing`: signed in, and none selected yet. */
  role: Role | 'choosing' | null
  apiToken?: TokenAccess
}

type Account = keyof typeof DEMO_ACCOUNTS

const cookieOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')

const send = async (
  url: string,
  {
    method = 'POST',
    body,
    headers = {},
  }: { method?: string; body?: unknown; headers?: Record<string, string> },
): Promise<Response> => {
  const answer = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`)
  return answer
}

/** The cookie of a sign-in, on the system where there is a choice and `onSystem` is set. */
export const signInByHand = async (url: string, account: Account, onSystem: boolean): Promise<string> => {
  const { name, password, domain } = DEMO_ACCOUNTS[account]
  const first = await send(`${url}/api/v1/session`, { body: { cloud: CLOUD, name, password, domain } })
  if (!onSystem) return cookieOf(first)
  const headers = { cookie: cookieOf(first) }
  return cookieOf(await send(`${url}/api/v1/session/scope`, { body: { kind: 'system' }, headers }))
}

const apiTokenOf = async (
  url: string,
  cookie: string,
  access: TokenAccess,
): Promise<{ id: number; token: string }> => {
  const body = { label: `${access}s`, access, lifetimeDays: 1 }
  return (await (await send(`${url}/api/v1/api-tokens`, { body, headers: { cookie } })).json()) as {
    id: number
    token: string
  }
}

const enrolled = async (url: string, cookie: string, hostName: string): Promise<string> => {
  const body = { cloud: CLOUD, label: 'access', lifetimeMinutes: 5, maxUses: 1, hostName: null }
  const made = await send(`${url}/api/v1/join-tokens`, { body, headers: { cookie } })
  const { token } = (await made.json()) as { token: string }
  const answer = await send(`${url}${AGENT_PATHS.enroll}`, {
    body: { contractVersion: CONTRACT_VERSION, hostName, agentVersion: '0.0.0' },
    headers: { authorization: `Bearer ${token}` },
  })
  return ((await answer.json()) as { credential: string }).credential
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Name of an enrolled host: who may not see the fleet must find it nowhere. */
export const ENROLLED_HOST = 'cmp-of-the-secret-fleet'

/** Everybody who may come, and everybody who once might. */
export const openCallers = async (url: string): Promise<Caller[]> => {
  const admin = await signInByHand(url, 'admin', true)
  const reader = await signInByHand(url, 'reader', true)
  const tenant = await signInByHand(url, 'tenant', false)
  const out = await signInByHand(url, 'admin', true)
  await send(`${url}/api/v1/session`, { method: 'DELETE', headers: { cookie: out } })
  const agent = await enrolled(url, admin, ENROLLED_HOST)
  const goneAgent = await enrolled(url, admin, 'cmp-gone')
  const goneId = /^sbac_(\d+)_/.exec(goneAgent)?.[1]
  await send(`${url}/api/v1/agents/${goneId}`, { method: 'DELETE', headers: { cookie: admin } })
  const goneToken = await apiTokenOf(url, admin, 'write')
  await send(`${url}/api/v1/api-tokens/${goneToken.id}`, { method: 'DELETE', headers: { cookie: admin } })
  const token = async (cookie: string, access: TokenAccess) =>
    bearer((await apiTokenOf(url, cookie, access)).token)
  return [
    { name: 'nobody', headers: {}, role: null },
    { name: 'a session that ended', headers: { cookie: out }, role: null },
    { name: 'a made-up session', headers: { cookie: `sliceboard-session=${'A'.repeat(43)}` }, role: null },
    { name: 'an agent', headers: bearer(agent), role: null },
    { name: 'a revoked agent', headers: bearer(goneAgent), role: null },
    { name: 'a revoked API token', headers: bearer(goneToken.token), role: null },
    {
      name: 'who has chosen nothing yet',
      headers: { cookie: await signInByHand(url, 'admin', false) },
      role: 'choosing',
    },
    { name: 'a tenant', headers: { cookie: tenant }, role: 'tenant' },
    {
      name: 'a tenant of another project',
      headers: { cookie: await signInByHand(url, 'otherTenant', false) },
      role: 'tenant',
    },
    { name: 'a reader', headers: { cookie: reader }, role: 'reader' },
    { name: 'an admin', headers: { cookie: admin }, role: 'admin' },
    { name: "a tenant's token", headers: await token(tenant, 'write'), role: 'tenant', apiToken: 'write' },
    { name: "a reader's token", headers: await token(reader, 'read'), role: 'reader', apiToken: 'read' },
    {
      name: "an admin's reading token",
      headers: await token(admin, 'read'),
      role: 'admin',
      apiToken: 'read',
    },
    {
      name: "an admin's writing token",
      headers: await token(admin, 'write'),
      role: 'admin',
      apiToken: 'write',
    },
  ]
}
