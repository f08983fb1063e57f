import { pino } from 'pino'
import { expect, test } from 'vitest'
import { logFailedSignIn } from './log-failed-sign-in'
import { signInWithPassword } from './sign-in'
import { CLOUD, createSignInWorld, signInBody } from './testing/sign-in-world'

const world = createSignInWorld()

test('sign-ins are logged, those that fail with the reason, and no password', async () => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) })
  const ctx = { ...world.anonymous(), log }
  const facts = world.facts({ address: '10.1.2.3' })
  const signIn = (body: ReturnType<typeof signInBody>) =>
    logFailedSignIn(ctx, { body, facts }, () => signInWithPassword(ctx, { body, facts }))
  await signIn(signInBody('tenant'))
  await expect(signIn(signInBody('tenant', { password: 'a wrong guess' }))).rejects.toThrow()
  const who = { user: 'm.ferrand', domain: 'Default', cloud: CLOUD, method: 'password', address: '10.1.2.3' }
  const logged = lines.map((line) => JSON.parse(line) as { msg: string })
  expect(logged.filter(({ msg }) => msg.startsWith('Sign'))).toMatchObject([
    { msg: 'Signed in', ...who },
    { msg: 'Sign-in failed', ...who, code: 'unauthorized' },
  ])
  expect(lines.join('\n')).not.toMatch(/a wrong guess/)
  expect(lines.join('\n')).not.toContain(signInBody('tenant').password)
})
