import { afterAll, beforeAll } from 'vitest'
import type { DEMO_ACCOUNTS } from '../demo-cloud/accounts'
import { type OpenStackOptions, type OpenStackSimulator, startOpenStack } from '../start-openstack'
import { type ApiCall, type ApiReply, callApi, type RequestedScope, signIn } from './api-client'

type Who = keyof typeof DEMO_ACCOUNTS

type TestOpenStack = {
  get: () => OpenStackSimulator
  keystone: (path: string, call?: ApiCall & { as?: Who; scope?: RequestedScope }) => Promise<ApiReply>
  placement: (
    path: string,
    call?: ApiCall & { as?: Who; scope?: RequestedScope; version?: string | null },
  ) => Promise<ApiReply>
  nova: (
    path: string,
    call?: ApiCall & { as?: Who; scope?: RequestedScope; version?: string | null },
  ) => Promise<ApiReply>
}

const versionHeader = (service: string, version: string | null): Record<string, string> =>
  version === null ? {} : { 'openstack-api-version': `${service} ${version}` }

/** A separate simulated OpenStack for the tests of one file, with short ways to call it; as admin by default. */
export const openStackForTests = (options: OpenStackOptions = {}): TestOpenStack => {
  let running: OpenStackSimulator | null = null
  const tokens = new Map<string, string>()
  beforeAll(async () => {
    running = await startOpenStack(options)
  })
  afterAll(() => running?.stop())

  const get = (): OpenStackSimulator => {
    if (running === null) throw new Error('The simulated OpenStack has not started.')
    return running
  }

  const tokenOf = async (as: Who, scope: RequestedScope): Promise<string> => {
    const key = `${as} ${scope}`
    const token = tokens.get(key) ?? (await signIn(get().authUrl, as, scope))
    tokens.set(key, token)
    return token
  }

  const ask = async (
    url: string,
    { as = 'admin', scope = 'project', ...call }: ApiCall & { as?: Who; scope?: RequestedScope },
  ) => callApi(url, { ...call, token: call.token === undefined ? await tokenOf(as, scope) : call.token })

  return {
    get,
    keystone: (path, call = {}) => ask(`${get().authUrl}${path}`, call),
    placement: (path, { version = '1.39', headers, ...call } = {}) =>
      ask(`${get().origin}/placement${path}`, {
        ...call,
        headers: { ...versionHeader('placement', version), ...headers },
      }),
    nova: (path, { version = '2.96', headers, ...call } = {}) =>
      ask(`${get().origin}/compute/v2.1${path}`, {
        ...call,
        headers: { ...versionHeader('compute', version), ...headers },
      }),
  }
}
