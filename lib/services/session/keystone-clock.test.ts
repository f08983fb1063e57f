import { expect, test } from 'vitest'
import { getAccount } from './get-account'
import { createSignInWorld } from './testing/sign-in-world'

// field: keystone 10
const world = createSignInWorld({}, { keystoneLagSeconds: 2 * 3600 })

test("a session lasts its token's lifetime although Keystone's clock is two hours behind", async () => {
  const { id } = await world.signIn('tenant')
  const ctx = await world.as(id)
  expect(await getAccount(ctx)).toMatchObject({ mode: 'keystone' })
  const session = await world.database().prisma.session.findFirstOrThrow()
  expect(session.tokenExpiresAt.getTime() - world.now().getTime()).toBeGreaterThan(30 * 60_000)
})
