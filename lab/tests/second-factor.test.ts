import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import { MORE_FACTORS } from '@/lib/openstack/transport/read-error-body'
import { openOperator, waitUntil } from './operator'

let operator: Awaited<ReturnType<typeof openOperator>>
beforeAll(async () => {
  operator = await openOperator()
})
afterAll(() => operator.close())

const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const SECRET_BYTES = '12345678901234567890'
const STEP_MS = 30_000

/** RFC 6238, as Keystone counts: SHA-1, 30 s, six digits. */
const passcodeAt = (ms: number): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(ms / STEP_MS)))
  const digest = createHmac('sha1', SECRET_BYTES).update(counter).digest()
  const offset = (digest[19] ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

const idOf = z.object({ id: z.string() })

it('Keystone requires a one-time code of an account with two factors, and accepts it with the password', async () => {
  const { keystone, token } = operator.account
  const tokenId = (await token('project')).id
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${operator.target.authUrl.replace(/\/v3$/, '')}/v3${path}`, {
      method,
      headers: { 'x-auth-token': tokenId, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.status === 204 ? null : answer.json()
  }
  const name = `lab-two-factors-${randomUUID().slice(0, 8)}`
  const options = { multi_factor_auth_enabled: true, multi_factor_auth_rules: [['password', 'totp']] }
  const made = await ask('POST', '/users', {
    user: { name, domain_id: 'default', password: 'labpass', options },
  })
  const { user } = z.object({ user: idOf }).parse(made)
  try {
    await ask('POST', '/credentials', { credential: { type: 'totp', blob: SECRET, user_id: user.id } })
    const signIn = (passcode?: string) =>
      keystone.authenticate({
        identity: {
          method: 'password',
          user: { name, domain: { name: 'Default' } },
          password: 'labpass',
          ...(passcode === undefined ? {} : { passcode }),
        },
        scope: { kind: 'unscoped' },
      })
    const refusal: unknown = await signIn().catch((error: unknown) => error)
    expect(isOpenStackError(refusal) ? [refusal.kind, refusal.code, refusal.detail] : refusal).toEqual([
      'auth',
      MORE_FACTORS,
      'totp',
    ])
    const wrong: unknown = await signIn('000000').catch((error: unknown) => error)
    expect(isOpenStackError(wrong) ? [wrong.kind, wrong.code] : wrong).toEqual(['auth', null])
    // A code is good for a minute at most: one that came too late is followed by the next.
    const own = await waitUntil('a sign-in with the code of the moment', () =>
      signIn(passcodeAt(Date.now())).catch((error: unknown) => {
        if (isOpenStackError(error) && error.kind === 'auth') return null
        throw error
      }),
    )
    expect(own.user.name).toBe(name)
    expect(own.methods).toEqual(expect.arrayContaining(['password', 'totp']))
  } finally {
    await ask('DELETE', `/users/${user.id}`)
  }
})
