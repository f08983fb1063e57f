import { apiPaths } from '@/lib/util/paths'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import { DemoError } from './demo-options'

/** The console's API as the demo's admin. */
export type AdminApi = {
  cloud: string
  get: (path: string) => Promise<Response>
  post: (path: string, body: unknown) => Promise<Response>
}

type Call = { path: string; body?: unknown; cookie?: string }

const request = async (consoleUrl: string, { path, body, cookie = '' }: Call): Promise<Response> => {
  const response = await fetch(new URL(path, consoleUrl), {
    headers: { 'content-type': 'application/json', cookie },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
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
  const signedIn = await request(consoleUrl, {
    path: apiPaths.session(),
    body: { cloud, name, password, domain },
  })
  const scoped = await request(consoleUrl, {
    path: apiPaths.sessionScope(),
    body: { kind: 'system' },
    cookie: cookiesOf(signedIn),
  })
  return cookiesOf(scoped)
}

/** Signs in where the console requires it. */
export const openAdminApi = async (
  consoleUrl: string,
  { cloud, hasSignIn }: { cloud: string; hasSignIn: boolean },
): Promise<AdminApi> => {
  const cookie = hasSignIn ? await signInAsAdmin(consoleUrl, cloud) : ''
  return {
    cloud,
    get: (path) => request(consoleUrl, { path, cookie }),
    post: (path, body) => request(consoleUrl, { path, body, cookie }),
  }
}
