import 'server-only'
import { setTimeout } from 'node:timers/promises'
import type { Token } from '@/lib/openstack/keystone/types'
import { type SignInInput, signInSchema } from '@/lib/schemas/api/session-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { toServiceError } from '@/lib/server/errors/to-service-error'
import type { RequestFacts } from '@/lib/server/session/request-facts'
import { admitSignIn, rememberSignInAddress } from '@/lib/server/session/sign-in-guard'
import { signInCloud } from './sign-in-cloud'
import { isRefusal, wantsMoreFactors, wrongPassword } from './sign-in-error'
import { type StartedSession, startSession } from './start-session'

type Facts = Pick<RequestFacts, 'address' | 'agent'>
/** Sign-ins that wait at once; more than these do not wait, so that an attack can't fill the memory. */
const MAX_DELAYED = 1000
let delayed = 0

const delay = async (ms: number, sleep: Sleep): Promise<void> => {
  if (ms === 0 || delayed >= MAX_DELAYED) return
  delayed += 1
  try {
    await sleep(ms)
  } finally {
    delayed -= 1
  }
}

type Sleep = (ms: number) => Promise<unknown>

const auditFailure = (ctx: ServiceContext, { cloud, domain, name }: SignInInput, { address }: Facts) =>
  ctx.database.transaction(({ query }) =>
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

/** Name and password against Keystone. A guess that fails costs an attempt of the account and of the address. */
export const signInWithPassword = async (
  ctx: ServiceContext,
  {
    body,
    facts,
    replaces = null,
    sleep = setTimeout,
  }: { body: unknown; facts: Facts; replaces?: string | null; sleep?: Sleep },
): Promise<StartedSession> => {
  const input = parseInput(signInSchema, body)
  const { cloud } = signInCloud(ctx, input.cloud)
  const attempt = { ...input, address: facts.address, now: ctx.now() }
  const admitted = await admitSignIn(ctx.database, attempt)
  await delay(admitted.delayMs, sleep)
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
      await admitted.giveBack()
      throw more ?? toServiceError(error)
    }
    await auditFailure(ctx, input, facts)
    ctx.log.info({ requestId: ctx.requestId, cloud: cloud.name, err: error }, 'Keystone refused a sign-in')
    throw wrongPassword(error, { hasPasscode: passcode !== '' })
  }
  await admitted.giveBack()
  await rememberSignInAddress(ctx.database, attempt)
  return startSession(ctx, { cloud: cloud.name, token, method: 'password', facts, replaces })
}
