import type { Token } from '../keystone/types'
import { OpenStackError } from '../openstack-error'
import type { OpenStackSession, ServiceAccount } from './types'

/** How long Keystone's validation of a token is cached; a service refuses a revoked one anyway. */
const BELIEVED_MS = 5 * 60_000

/** Answers of one token, kept no longer than needed: the id is secret and never a key of anything shared. */
type Held = { token: Token; atMs: number }

/**
 * Nova and Placement as a signed-in person: the cloud's own connections with the token of the person, so that OpenStack's
 * policy decides and its log names them. Requests throw OpenStackError; `auth` when the token no longer holds.
 */
export const personSession = (account: ServiceAccount, tokenId: string): OpenStackSession => {
  let held: Held | null = null
  const read = async (): Promise<Token> => {
    if (held !== null && performance.now() - held.atMs < BELIEVED_MS) return held.token
    const token = await account.keystone.validate({ tokenId })
    if (token === null)
      throw new OpenStackError(`The sign-in at cloud "${account.cloud}" has ended: sign in again.`, {
        kind: 'auth',
        service: 'keystone',
        cloud: account.cloud,
      })
    held = { token, atMs: performance.now() }
    return token
  }
  return {
    cloud: account.cloud,
    region: account.region,
    endpoint: account.endpoint,
    request: async ({ path, meter, ...request }) => {
      await read()
      const url = `${await account.endpoint(request.service)}${path}`
      return account.transport.request({
        ...request,
        meter,
        url,
        headers: { ...request.headers, 'x-auth-token': tokenId },
      })
    },
  }
}
