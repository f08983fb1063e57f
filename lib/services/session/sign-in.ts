import 'server-only'
import type { Token } from '@/lib/openstack/keystone/types'
import { type SignInInput, signInSchema } from '@/lib/schemas/api/session-inputs'
import { writeAudit } from '@/lib/server/audit'
import { parseInput } from '@/lib/server/parse-input'
import type { ServiceContext } from '@/lib/server/service-context'
import { ServiceError } from '@/lib/server/service-error'
import type { RequestFacts } from '@/lib/server/session/request-facts'
import { forgetFullAllowances, giveBackSignIn, takeSignIn } from '@/lib/server/session/sign-in-allowance'
import { toServiceError } from '@/lib/server/to-service-error'
import { signInCloud } from './sign-in-cloud'
import { isRefusal, wantsMoreFactors, wrongPassword } from './sign-in-error'
import { type StartedSession, startSession } from './start-session'

type Facts = Pick<RequestFacts, 'address' | 'agent'>
type Attempt = { kind: 'name' | 'address'; what: string; now: Date }

const attemptsOf = ({ cloud, domain, name }: SignInInput, { address }: Facts, now: Date): Attempt[] => [
  { kind: 'address', what: address, now },
  { kind: 'name', what: JSON.stringify([cloud, domain, name]), now },
]

const takeAttempts = async ({ database }: ServiceContext, attempts: readonly Attempt[]): Promise<void> => {
  for (const attempt of attempts) {
    const wait = await takeSignIn(database.query, attempt)
    if (wait === 0) continue
    const whose = attempt.kind === 'name' ? 'for this name' : 'from your address'
    throw new ServiceError('limit', `Too many sign-ins ${whose} have failed: try again in ${wait} s.`, {
      retryAfterSeconds: wait,
    })
  }
}

const giveBack = async ({ database }: ServiceContext, attempts: readonly Attempt[]): Promise<void> => {
  for (const attempt of attempts) await giveBackSignIn(database.query, attempt)
}

const tellFailure = (ctx: ServiceContext, { cloud, domain, name }: SignInInput, { address }: Facts) =>
  ctx.database.transaction((query) =>
    writeAudit(query, {
      at: ctx.now(),
      actor: ctx.actor,
      cloud,
      action: 'session.refuse',
      subject: `cloud:${cloud}`,
      before: null,
      after: { name, domain, address },
    }),
  )

/** Name and password against Keystone. A guess that fails costs an attempt of the name and of the address. */
export const signInWithPassword = async (
  ctx: ServiceContext,
  { body, facts, replaces = null }: { body: unknown; facts: Facts; replaces?: string | null },
): Promise<StartedSession> => {
  const input = parseInput(signInSchema, body)
  const { cloud } = signInCloud(ctx, input.cloud)
  const attempts = attemptsOf(input, facts, ctx.now())
  await takeAttempts(ctx, attempts)
  const passcode = (input.passcode ?? '').replaceAll(/\s/g, '')
  let token: Token
  try {
    token = await cloud.keystone.authenticate({
      identity: {
        method: 'password',
        user: { name: input.name, domain: { name: input.domain } },
        password: input.password,
        ...(passcode === '' ? {} : { passcode }),
      },
      scope: { kind: 'unscoped' },
    })
  } catch (error) {
    const more = wantsMoreFactors(error, cloud.name)
    if (!isRefusal(error) || more !== null) {
      await giveBack(ctx, attempts)
      throw more ?? toServiceError(error)
    }
    await tellFailure(ctx, input, facts)
    throw wrongPassword(error, { ...input, hasPasscode: passcode !== '' })
  }
  await giveBack(ctx, attempts)
  await forgetFullAllowances(ctx.database.query, ctx.now())
  return startSession(ctx, { cloud: cloud.name, token, method: 'password', facts, replaces })
}
