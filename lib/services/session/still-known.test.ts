import { expect, test } from 'vitest'
import type { Actor } from '@/lib/server/context/service-context'
import { requireActor } from '@/lib/server/session/find-caller'
import { requireStillKnown } from '@/lib/server/session/require-still-known'
import { createApiToken } from '../api-token/create-api-token'
import { revokeApiToken } from '../api-token/revoke-api-token'
import { endSessions } from './end-sessions'
import { listSessions } from './list-sessions'
import { signOut } from './sign-out'
import { createSignInWorld } from './testing/sign-in-world'

const world = createSignInWorld()
const HELD = { label: 'nightly report', access: 'write', lifetimeDays: 1 }
const DAY_SECONDS = 86_400

const bySession = async (): Promise<Actor> => (await world.as((await world.signIn('tenant')).id)).actor
const byToken = async (): Promise<{ actor: Actor; id: number }> => {
  const { id, token } = await createApiToken(await world.as((await world.signIn('tenant')).id), {
    body: HELD,
  })
  const facts = world.facts({ authorization: `Bearer ${token}` })
  return { id, actor: await requireActor(world.runtime(), facts) }
}
const isStillKnown = (actor: Actor): Promise<boolean> =>
  requireStillKnown(world.runtime(), actor).then(
    () => true,
    () => false,
  )

test('who holds on is still known', async () => {
  expect(await isStillKnown(await bySession())).toBe(true)
  expect(await isStillKnown((await byToken()).actor)).toBe(true)
})

test('an API token that expired or was revoked in the meantime is known no more', async () => {
  const [late, revoked] = [await byToken(), await byToken()]
  await revokeApiToken(await world.as((await world.signIn('tenant')).id), { id: revoked.id })
  expect(await isStillKnown(revoked.actor)).toBe(false)
  world.wait(DAY_SECONDS - 1)
  expect(await isStillKnown(late.actor)).toBe(true)
  world.wait(1)
  expect(await isStillKnown(late.actor)).toBe(false)
})

test('a session that ended while its request was under way ends, lists and takes up nothing', async () => {
  const other = await world.as((await world.signIn('tenant')).id)
  const ended = await world.as((await world.signIn('tenant')).id)
  await signOut(ended)
  for (const work of [
    () => listSessions(ended),
    () => endSessions(ended, { which: 'all' }),
    () => signOut(ended),
  ])
    await expect(work()).rejects.toThrow('This session has ended: sign in again.')
  expect(await isStillKnown(other.actor)).toBe(true)
})

test('an API token is no session: it lists and ends none', async () => {
  const { actor } = await byToken()
  const ctx = { ...(await world.as((await world.signIn('tenant')).id)), actor }
  for (const work of [() => listSessions(ctx), () => endSessions(ctx, { which: 'all' }), () => signOut(ctx)])
    await expect(work()).rejects.toThrow(/This requires a browser session|API token/)
})

test('a session that was ended, lies idle or is gone in the meantime is known no more', async () => {
  const { id } = await world.signIn('tenant')
  const ended = await world.as(id)
  await signOut(ended)
  expect(await isStillKnown(ended.actor)).toBe(false)
  const gone = await bySession()
  await world.database().prisma.session.deleteMany()
  expect(await isStillKnown(gone)).toBe(false)
  const idle = await bySession()
  world.wait(30 * 60)
  expect(await isStillKnown(idle)).toBe(false)
})
