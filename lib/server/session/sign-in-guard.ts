import 'server-only'
import { createHash } from 'node:crypto'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Connection, Query } from '../database/database'
import { clientNetwork, ownerNetwork } from './address-network'
import {
  ACCOUNT_DEBT_SECONDS,
  type AllowanceKind,
  forgetFullAllowances,
  giveBackSignIn,
  overdrawSignIn,
  takeSignIn,
} from './sign-in-allowance'

type Attempt = { cloud: string; domain: string; name: string; address: string; now: Date }

/** An attempt that may be made, after `delayMs`. */
export type AdmittedSignIn = {
  delayMs: number
  /** It was no wrong guess. */
  giveBack: () => Promise<void>
}

/** While others guess this account's password. */
const DELAY_MS = 8000
/** An address without a sign-in to the account for so long counts as new again. */
const KNOWN_MS = 180 * 86_400_000
const MAX_KNOWN_PER_ACCOUNT = 50
const FORGET_EVERY_MS = 60_000

/**
 * Names that Keystone's database takes for the same one: MySQL's collations know neither case, nor accents, nor spaces at the
 * end.
 */
const foldName = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[\p{M}\s]/gu, '')
    .toLowerCase()

const accountOf = ({ cloud, domain, name }: Attempt): string =>
  foldName(JSON.stringify([cloud, domain, name]))
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

const keysOf = (attempt: Attempt): [string, string] => [
  hashOf(accountOf(attempt)),
  hashOf(clientNetwork(attempt.address)),
]

const isKnownAddress = async ({ prisma }: Connection, attempt: Attempt): Promise<boolean> => {
  const [account, address] = keysOf(attempt)
  const lastAt = { gt: new Date(attempt.now.getTime() - KNOWN_MS) }
  return (await prisma.signInAddress.count({ where: { account, address, lastAt } })) > 0
}

// SQL: one statement deletes what is old and what exceeds the maximum.
const FORGET_OLDEST = `
DELETE FROM sign_in_address WHERE account = $1 AND (last_at < $2::timestamptz OR address IN (
  SELECT address FROM sign_in_address WHERE account = $1 ORDER BY last_at DESC, address OFFSET $3::int))`

/** The password was right: failures from other addresses do not limit this one any more. */
export const rememberSignInAddress = async (
  { query, prisma }: Connection,
  attempt: Attempt,
): Promise<void> => {
  const [account, address] = keysOf(attempt)
  const key = { account, address }
  await prisma.signInAddress.upsert({
    where: { account_address: key },
    create: { ...key, lastAt: attempt.now },
    update: { lastAt: attempt.now },
  })
  const since = new Date(attempt.now.getTime() - KNOWN_MS)
  await query(FORGET_OLDEST, [account, since, MAX_KNOWN_PER_ACCOUNT])
}

/** Allowances of one attempt, so that all of them can be given back. */
const createPurse = (query: Query, { now }: Attempt) => {
  const taken: { kind: AllowanceKind; what: string; now: Date }[] = []
  return {
    /** 0, or the seconds to wait. */
    take: async (kind: AllowanceKind, what: string, debtSeconds = 0): Promise<number> => {
      const wait = await takeSignIn(query, { kind, what, now }, debtSeconds)
      if (wait === 0) taken.push({ kind, what, now })
      return wait
    },
    overdraw: async (kind: AllowanceKind, what: string): Promise<void> => {
      await overdrawSignIn(query, { kind, what, now })
      taken.push({ kind, what, now })
    },
    giveBack: async (): Promise<void> => {
      for (const request of taken.splice(0)) await giveBackSignIn(query, request)
    },
  }
}

type Purse = ReturnType<typeof createPurse>

const refuse = async (purse: Purse, message: string, retryAfterSeconds: number): Promise<never> => {
  await purse.giveBack()
  throw new ServiceError('limit', message, { retryAfterSeconds })
}

const takeOwn = async (purse: Purse, kind: 'address' | 'pair', what: string): Promise<void> => {
  const wait = await purse.take(kind, what)
  if (wait > 0)
    await refuse(purse, `Too many sign-ins from your address have failed: try again in ${wait} s.`, wait)
}

/**
 * The delay of an address that the account has not signed in from. While others have used up the account's allowance, each
 * network may still try once, and a second time unless many networks do so. The account's allowance pays for these tries, so
 * that attackers in up to 60 networks have 60 guesses in the first hour and fewer later.
 */
const takeOfAccount = async (purse: Purse, attempt: Attempt): Promise<number> => {
  const account = accountOf(attempt)
  const own = `${account} ${ownerNetwork(attempt.address)}`
  const isFirst = (await purse.take('first', own)) === 0
  const isSecond = !isFirst && (await purse.take('second', own)) === 0
  if ((await purse.take('account', account)) === 0) return 0
  if (isFirst) await purse.overdraw('account', account)
  else {
    const wait = await purse.take('account', account, isSecond ? ACCOUNT_DEBT_SECONDS : 0)
    if (wait > 0)
      await refuse(
        purse,
        `Too many sign-ins to this account have failed, from your network and from others: try again in ${wait} s, or from an address that you have signed in from before.`,
        wait,
      )
  }
  return DELAY_MS
}

let forgottenAtMs = Number.NEGATIVE_INFINITY

/** Rows that mean nothing any more go, also without any successful sign-in. */
const forgetNowAndThen = async (query: Query, now: Date): Promise<void> => {
  const atMs = performance.now()
  if (atMs - forgottenAtMs < FORGET_EVERY_MS) return
  forgottenAtMs = atMs
  await forgetFullAllowances(query, now)
}

/**
 * Whether a sign-in may be tried now; shared by all replicas. An address from which the account has signed in before is
 * limited by its own failures alone. Any other address also shares the account's allowance with all addresses like it. When
 * that is used up, a network that has hardly failed yet is delayed and not refused. `limit` for who has to wait.
 */
export const admitSignIn = async (connection: Connection, attempt: Attempt): Promise<AdmittedSignIn> => {
  const { query } = connection
  await forgetNowAndThen(query, attempt.now)
  const purse = createPurse(query, attempt)
  const isKnown = await isKnownAddress(connection, attempt)
  const network = clientNetwork(attempt.address)
  // Others behind the same address must not lock out who has signed in from it.
  if (!isKnown) await takeOwn(purse, 'address', network)
  await takeOwn(purse, 'pair', `${accountOf(attempt)} ${network}`)
  const delayMs = isKnown ? 0 : await takeOfAccount(purse, attempt)
  return { delayMs, giveBack: purse.giveBack }
}
