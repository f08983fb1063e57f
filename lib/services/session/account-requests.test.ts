import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createAccountRequests } from '@/lib/server/context/account-requests'
import { setRuntime } from '@/lib/server/context/runtime'
import { route } from '@/lib/server/http/route'
import { createApiToken } from '@/lib/services/api-token/create-api-token'
import { chooseScope } from './choose-scope'
import { createSignInWorld } from './testing/sign-in-world'

/** The clock is fixed, so no allowance returns during a test. */
const log = pino({ level: 'silent' })
const world = createSignInWorld({
  requests: createAccountRequests({ perSecond: 10, log, nowMs: () => 0 }),
})

const whoAmI = route({ admits: 'session' }, async ({ ctx }) => ({ is: ctx.actor.kind }))
const noParams = { params: Promise.resolve({}) }

const ask = (headers: Record<string, string>): Promise<Response> =>
  whoAmI(new Request('http://127.0.0.1:3000/api/v1/account', { headers }), noParams)
const byCookie = (id: string) => ask({ cookie: `sliceboard-session=${id}` })

test("one account's flood, by all its sessions and tokens together, is refused and leaves another alone", async () => {
  setRuntime(world.runtime())
  const [signedIn, second, other] = [
    await world.signIn('admin'),
    await world.signIn('admin'),
    await world.signIn('tenant'),
  ]
  const { id } = await chooseScope(await world.as(signedIn.id), { body: { kind: 'system' } })
  const body = { label: 'flood', access: 'read', lifetimeDays: 30 }
  const { token } = await createApiToken(await world.as(id), { body })
  const byToken = () => ask({ authorization: `Bearer ${token}` })

  const flood = await Promise.all(
    Array.from({ length: 90 }, (_, index) =>
      index % 3 === 0 ? byToken() : byCookie(index % 3 === 1 ? id : second.id),
    ),
  )
  const served = flood.filter(({ status }) => status === 200)
  // Two of the fifty that an account has at once made the scope and the token.
  expect(served).toHaveLength(48)
  const refused = flood.find(({ status }) => status === 429)
  expect(refused?.headers.get('retry-after')).toBe('1')
  expect(await refused?.json()).toMatchObject({
    error: {
      code: 'limit',
      message:
        'Your account sends more than 10 requests per second with all its sessions and API tokens. Retry in 1 s.',
    },
  })
  expect((await byToken()).status).toBe(429)
  const others = await Promise.all(Array.from({ length: 20 }, () => byCookie(other.id)))
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]))
})
