import { CLOUD } from '@/e2e/world/clouds-yaml'
import { apiPaths } from '@/lib/util/paths'

/** What a browser sends with everything after it has signed in. */
export type SignedIn = { cookie: string }

const post = async (url: URL, body: object, headers: Record<string, string>): Promise<Response> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url.origin, ...headers },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url.pathname}: ${answer.status} ${await answer.text()}`)
  return answer
}

const cookieOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')

/** Signs in to a console; `onSystem` takes up the system where there is a choice of scopes. */
export const signIn = async (
  address: string,
  { name, password, domain }: { name: string; password: string; domain: string },
  { onSystem }: { onSystem: boolean },
): Promise<SignedIn> => {
  const body = { cloud: CLOUD, domain, name, password }
  const cookie = cookieOf(await post(new URL(apiPaths.session(), address), body, {}))
  if (!onSystem) return { cookie }
  const scoped = await post(new URL(apiPaths.sessionScope(), address), { kind: 'system' }, { cookie })
  return { cookie: cookieOf(scoped) || cookie }
}
