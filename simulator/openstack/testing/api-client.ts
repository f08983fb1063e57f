import { DEMO_ACCOUNTS } from '../demo-cloud/accounts'

type Account = { name: string; password: string; domain: string; project: string }

export type ApiReply = { status: number; headers: Headers; body: unknown; text: string }

export type ApiCall = {
  method?: string
  body?: unknown
  token?: string | null
  headers?: Record<string, string>
}

/** One request as a client without any library sends it. */
export const callApi = async (
  url: string,
  { method = 'GET', body, token, headers }: ApiCall = {},
): Promise<ApiReply> => {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined || token === null ? {} : { 'x-auth-token': token }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null }
}

export type RequestedScope = 'project' | 'system' | 'unscoped'

export const passwordBody = (account: Account, scope: RequestedScope = 'project'): unknown => ({
  auth: {
    identity: {
      methods: ['password'],
      password: {
        user: { name: account.name, domain: { name: account.domain }, password: account.password },
      },
    },
    ...(scope === 'unscoped'
      ? {}
      : {
          scope:
            scope === 'system'
              ? { system: { all: true } }
              : { project: { name: account.project, domain: { name: account.domain } } },
        }),
  },
})

/** A token of one of the demo's accounts. */
export const signIn = async (
  authUrl: string,
  who: keyof typeof DEMO_ACCOUNTS,
  scope: RequestedScope = 'project',
): Promise<string> => {
  const reply = await callApi(`${authUrl}/auth/tokens`, {
    method: 'POST',
    body: passwordBody(DEMO_ACCOUNTS[who], scope),
  })
  const token = reply.headers.get('x-subject-token')
  if (token === null) throw new Error(`${who} was refused: ${reply.status} ${reply.text}`)
  return token
}
