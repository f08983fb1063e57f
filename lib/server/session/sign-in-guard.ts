import 'server-only'
import { createHash } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import * as z from 'zod'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Connection, Query } from '../database/database'

/**
 * Failed sign-ins that are allowed without a pause, and the seconds until one more is allowed.
 * - `address`: of all accounts.
 * - `pair`: of one account from one address.
 * - `account`: of one account from all addresses that it has not signed in from: with `ACCOUNT_DEBT_SECONDS` 60 in any hour.
 * - `first`, `second`: of one account from one network. What it may try although others have used up the allowance of the
 *   account.
 */
export const SIGN_IN_ALLOWANCES = {
  address: { burst: 40, pauseSeconds: 6 },
  pair: { burst: 8, pauseSeconds: 60 },
  account: { burst: 15, pauseSeconds: 120 },
  first: { burst: 1, pauseSeconds: 24 * 3600 },
  second: { burst: 1, pauseSeconds: 24 * 3600 },
} as const

/** However many networks fail, the account has its allowance back so long after the last of them. */
const MAX_DEBT_SECONDS = 7200
/** How far second tries may overdraw the account's allowance: by 15. */
const ACCOUNT_DEBT_SECONDS = 1800

type AllowanceKind = keyof typeof SIGN_IN_ALLOWANCES
type Request = { kind: AllowanceKind; what: string; now: Date }

/** Names and addresses are not stored: what people type as a name is at times their password. */
const keyOf = ({ kind, what }: Request): string =>
  `${kind}:${createHash('sha256').update(what).digest('base64url')}`

// SQL: each statement reads and changes an allowance atomically, so that all consoles count the same attempts.
const TAKE = `
INSERT INTO sign_in_allowance AS a (key, full_at)
VALUES ($1, $2::timestamptz + make_interval(secs => $3::float8))
ON CONFLICT (key) DO UPDATE
  SET full_at = GREATEST(a.full_at, $2::timestamptz) + make_interval(secs => $3::float8)
  WHERE GREATEST(a.full_at, $2::timestamptz) <= $2::timestamptz + make_interval(secs => $3::float8 * ($4::int - 1) + $5::float8)
RETURNING key`

const OVERDRAW = `
INSERT INTO sign_in_allowance AS a (key, full_at)
VALUES ($1, $2::timestamptz + make_interval(secs => $3::float8))
ON CONFLICT (key) DO UPDATE SET full_at = LEAST(
  GREATEST(a.full_at, $2::timestamptz) + make_interval(secs => $3::float8),
  $2::timestamptz + make_interval(secs => $3::float8 * $4::int + $5::float8))`

const GIVE_BACK = `
UPDATE sign_in_allowance SET full_at = full_at - make_interval(secs => $2::float8) WHERE key = $1`

const FORGET_FULL = `DELETE FROM sign_in_allowance WHERE full_at < $1::timestamptz`

/**
 * Takes one; 0 when it was there, else the seconds after which it is worth trying again. `debtSeconds`: the allowance may be
 * overdrawn so far. Shared by all replicas.
 */
export const takeSignIn = async (query: Query, request: Request, debtSeconds = 0): Promise<number> => {
  const { burst, pauseSeconds } = SIGN_IN_ALLOWANCES[request.kind]
  const key = keyOf(request)
  const taken = await query(TAKE, [key, request.now, pauseSeconds, burst, debtSeconds])
  if (taken.length > 0) return 0
  const [row] = await query(
    'SELECT full_at AS "fullAt" FROM sign_in_allowance WHERE key = $1',
    [key],
    z.object({ fullAt: z.date() }),
  )
  const waitMs = (row?.fullAt ?? request.now).getTime() - request.now.getTime()
  return Math.max(1, Math.ceil(waitMs / 1000 - pauseSeconds * (burst - 1) - debtSeconds))
}

/** Takes one although there is none: others have to wait longer for theirs. */
export const overdrawSignIn = async (query: Query, request: Request): Promise<void> => {
  const { burst, pauseSeconds } = SIGN_IN_ALLOWANCES[request.kind]
  await query(OVERDRAW, [keyOf(request), request.now, pauseSeconds, burst, MAX_DEBT_SECONDS])
}

/** An attempt that was no wrong guess costs nothing. */
export const giveBackSignIn = async (query: Query, request: Request): Promise<void> => {
  await query(GIVE_BACK, [keyOf(request), SIGN_IN_ALLOWANCES[request.kind].pauseSeconds])
}

export const forgetFullAllowances = async (query: Query, now: Date): Promise<void> => {
  await query(FORGET_FULL, [now])
}

const GROUPS = 8

const ipv6Groups = (address: string): string[] => {
  const [head = '', tail] = address.toLowerCase().split('%')[0]?.split('::') ?? []
  const groups = (text: string) => text.split(':').filter((group) => group !== '')
  const [left, right] = [groups(head), groups(tail ?? '')]
  const zeros = Array<string>(Math.max(0, GROUPS - left.length - right.length)).fill('0')
  return [...left, ...zeros, ...right].map((group) => group.replace(/^0+(?=.)/, ''))
}

/** What one client has at least: an IPv4 address, or the 2⁶⁴ addresses of one IPv6 network. */
export const clientNetwork = (address: string): string =>
  isIPv6(address) ? ipv6Groups(address).slice(0, 4).join(':') : address

/** What one owner has at least, as registries assign it: a /24 of IPv4, a /48 of IPv6. */
export const ownerNetwork = (address: string): string => {
  if (isIPv4(address)) return address.split('.').slice(0, 3).join('.')
  return isIPv6(address) ? ipv6Groups(address).slice(0, 3).join(':') : address
}

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
